import { BookOpen, Download, Eye, GraduationCap, Headphones, KeyRound, type LucideIcon, Play } from 'lucide-react'
import { Button, type ButtonLook } from '../../ui/Button.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { readPath } from '../reading/verb.rules.ts'
import { type Act, hasPage } from './act.rules.ts'

const ICONS: Record<Act, LucideIcon> = {
  Read: BookOpen,
  Listen: Headphones,
  Watch: Play,
  'Open course': GraduationCap,
  'Show code': Eye,
  'Show key': KeyRound,
  Download,
}

type ActButtonProps = {
  act: Act
  lineId: string
  title: string
  isBusy: boolean
  onPress: () => void
  onNear?: () => void
} & Pick<ButtonLook, 'tone' | 'isLarge'>

/** The main action of goods that were bought: a link to their page, or a button. */
export function ActButton({ act, lineId, title, isBusy, onPress, onNear, tone = 'soft', isLarge }: ActButtonProps) {
  const Icon = ICONS[act]
  const look = {
    tone,
    isLarge,
    icon: isLarge && <Icon className="icon" aria-hidden />,
    'aria-label': `${act} ${title}`,
  }
  if (hasPage(act))
    return (
      <LinkButton {...look} href={act === 'Open course' ? `/learn/${lineId}` : readPath(lineId)}>
        {act}
      </LinkButton>
    )
  return (
    <Button {...look} isBusy={isBusy} onPointerEnter={onNear} onClick={onPress}>
      {act}
    </Button>
  )
}
