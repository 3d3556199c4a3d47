import { Ban, CircleDashed, EyeOff, type LucideIcon, Store } from 'lucide-react'
import { CODES_WANTED, FILE_WANTED, LESSON_WANTED } from '../catalogue/standing.rules.ts'
import { Badge } from '../ui/Badge.tsx'
import type { OwnProduct, Status } from './selling.contract.ts'

const LOOKS: Record<
  Status,
  { look: 'completed' | 'pending' | 'plain' | 'neutral' | 'failed'; Icon: LucideIcon; name: string }
> = {
  listed: { look: 'completed', Icon: Store, name: 'Listed' },
  incomplete: { look: 'pending', Icon: EyeOff, name: FILE_WANTED },
  draft: { look: 'plain', Icon: CircleDashed, name: 'Draft' },
  withdrawn: { look: 'neutral', Icon: Ban, name: 'Withdrawn' },
  stopped: { look: 'failed', Icon: Ban, name: 'Stopped by the store' },
}

export function StandingBadge({ product: { status, delivery } }: { product: Pick<OwnProduct, 'status' | 'delivery'> }) {
  const { look, Icon, name } = LOOKS[status]
  return (
    <Badge look={look} icon={<Icon className="icon" aria-hidden />}>
      {status !== 'incomplete'
        ? name
        : delivery === 'code'
          ? CODES_WANTED
          : delivery === 'course'
            ? LESSON_WANTED
            : name}
    </Badge>
  )
}
