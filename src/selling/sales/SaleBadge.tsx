import { Check, Scale, Undo2 } from 'lucide-react'
import { Badge } from '../../ui/Badge.tsx'
import type { Sale } from './sales.contract.ts'

const LOOKS = {
  paid: ['completed', Check, 'Paid'],
  free: ['completed', Check, 'Free'],
  disputed: ['pending', Scale, 'Disputed'],
  part_refunded: ['refunded', Undo2, 'Partly refunded'],
  refunded: ['refunded', Undo2, 'Refunded'],
} as const

export function SaleBadge({ state }: { state: Sale['state'] }) {
  const [look, Icon, name] = LOOKS[state]
  return (
    <Badge look={look} icon={<Icon className="icon" aria-hidden />}>
      {name}
    </Badge>
  )
}
