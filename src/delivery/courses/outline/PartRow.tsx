import {
  ArrowDown,
  ArrowUp,
  ChevronDown,
  Clock,
  Eye,
  FileText,
  GripVertical,
  Headphones,
  Pencil,
  Trash2,
  Video,
} from 'lucide-react'
import { IconButton } from '../../../ui/IconButton.tsx'
import type { OutlinePart } from '../outline.contract.ts'
import { describeLength, describeLessons } from './length.rules.ts'

type PartRowProps = {
  part: OutlinePart
  /** The lessons of a section. */
  lessons: OutlinePart[]
  isInSection: boolean
  isFolded: boolean
  isBusy: boolean
  canMove: (by: 1 | -1) => boolean
  onMove: (by: 1 | -1) => void
  onFold: () => void
  onEdit: () => void
  onRemove: () => void
}

export function PartRow(props: PartRowProps) {
  const { part, lessons, isInSection, isFolded, isBusy, canMove, onMove, onFold, onEdit, onRemove } = props
  const { id, title, isSection } = part
  const look = isSection ? 'outline__section' : isInSection ? 'outline__lesson' : ''
  return (
    <li className={`row row--nowrap ${look}`} data-row={id}>
      {/* keyboard and touch use the buttons */}
      <span className="outline__grip" draggable={!isBusy} aria-hidden>
        <GripVertical className="icon icon--sm" />
      </span>
      {isSection ? (
        <button type="button" className="grow outline__title outline__fold" aria-expanded={!isFolded} onClick={onFold}>
          <ChevronDown className="icon icon--sm" aria-hidden />
          <span className="wrap-anywhere">
            <strong>{title}</strong>
            <span className="outline__facts muted small">{describeLessons(lessons)}</span>
          </span>
        </button>
      ) : (
        <span className="grow outline__title wrap-anywhere">
          <strong>{title}</strong>
          <LessonFacts part={part} />
        </span>
      )}
      <span className="row row--nowrap outline__do">
        <IconButton
          label={`Move ${title} up`}
          icon={<ArrowUp className="icon" aria-hidden />}
          aria-disabled={isBusy || !canMove(-1) || undefined}
          onClick={() => onMove(-1)}
        />
        <IconButton
          label={`Move ${title} down`}
          icon={<ArrowDown className="icon" aria-hidden />}
          aria-disabled={isBusy || !canMove(1) || undefined}
          onClick={() => onMove(1)}
        />
        <IconButton label={`Edit ${title}`} icon={<Pencil className="icon" aria-hidden />} onClick={onEdit} />
        <IconButton
          label={`Delete ${title}`}
          icon={<Trash2 className="icon" aria-hidden />}
          aria-disabled={isBusy || undefined}
          onClick={() => !isBusy && onRemove()}
        />
      </span>
    </li>
  )
}

function LessonFacts({ part }: { part: OutlinePart }) {
  const { types, opensOn, opensAfterDays, isPreview } = part
  const Icon = types.some((type) => type.startsWith('video/'))
    ? Video
    : types.some((type) => type.startsWith('audio/'))
      ? Headphones
      : FileText
  const drip = opensOn
    ? `Opens on ${opensOn}`
    : opensAfterDays
      ? `Opens ${opensAfterDays === 1 ? 'a day' : `${opensAfterDays} days`} after the purchase`
      : null
  const kind = types.length === 0 ? 'Text' : types.length === 1 ? 'One file' : `${types.length} files`
  return (
    <span className="outline__facts muted small">
      <span>
        <Icon className="icon icon--sm" aria-hidden />
        {[kind, describeLength([part])].filter(Boolean).join(', ')}
      </span>
      {drip && (
        <span>
          <Clock className="icon icon--sm" aria-hidden /> {drip}
        </span>
      )}
      {isPreview && (
        <span>
          <Eye className="icon icon--sm" aria-hidden /> Free preview
        </span>
      )}
    </span>
  )
}
