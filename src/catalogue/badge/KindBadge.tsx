import { BookOpen, Download, IdCard, Lock, type LucideIcon, ShoppingBag } from 'lucide-react'
import { Badge } from '../../ui/Badge.tsx'
import { describeKind, type KindFacts } from './kindBadge.rules.ts'
import type { KindName } from '../kinds.rules.ts'

const ICONS: Record<KindName, LucideIcon> = {
  file: Download,
  code: IdCard,
  license: Lock,
  course: BookOpen,
  bundle: ShoppingBag,
}

/** A badge with the kind of goods. A product of an old cache has no kind. */
export function KindBadge({ kind = 'file', facts }: { kind?: KindName; facts?: KindFacts | undefined }) {
  const Icon = ICONS[kind]
  return (
    <Badge look="accent" icon={<Icon className="icon" aria-hidden />}>
      {describeKind(kind, facts)}
    </Badge>
  )
}
