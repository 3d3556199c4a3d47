import '../courseEditor.css'
import { useRef, useState } from 'react'
import type { Outline, OutlinePart } from '../outline.contract.ts'
import { changedSections, groupsOf, landingAt, movedBy, placedAt, sectionOf } from './order.rules.ts'
import { PartRow } from './PartRow.tsx'
import { useDragOrder } from './useDragOrder.ts'

type OutlineListProps = {
  parts: Outline
  isBusy: boolean
  onReorder: (parts: Outline) => void
  onEdit: (part: OutlinePart) => void
  onRemove: (part: OutlinePart) => void
}

/** Sections and lessons in one list, so that a row that moves retains its focus. Folded sections hide their lessons. */
export function OutlineList({ parts, isBusy, onReorder, onEdit, onRemove }: OutlineListProps) {
  const list = useRef<HTMLOListElement>(null)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const groups = groupsOf(parts)
  const visible = groups.flatMap(({ section, lessons }) => [
    ...(section ? [section] : []),
    ...(section && folded.has(section.id) ? [] : lessons),
  ])
  const unfold = (ids: string[]) => setFolded(new Set([...folded].filter((id) => !ids.includes(id))))
  const fold = (id: string) => (folded.has(id) ? unfold([id]) : setFolded(new Set([...folded, id])))
  const [former, setFormer] = useState(parts)
  if (former !== parts) {
    setFormer(parts)
    unfold(changedSections(former, parts))
  }
  function reorder(next: Outline) {
    if (!isBusy && next.some((one, i) => one !== parts[i])) onReorder(next)
  }
  const find = (id: string) => parts.find((part) => part.id === id)
  useDragOrder(list, {
    landingOf(draggedId, { id, isAfter }) {
      const [dragged, part] = [find(draggedId), find(id)]
      const landing = dragged && part ? landingAt(visible, dragged, { part, isAfter }) : null
      return landing && { id: landing.part.id, isAfter: landing.isAfter }
    },
    onDrop(draggedId, { id, isAfter }) {
      const [dragged, part] = [find(draggedId), find(id)]
      if (dragged && part) reorder(placedAt(parts, dragged, { part, isAfter }))
    },
  })
  return (
    <ol ref={list} className="outline">
      {visible.map((part) => (
        <PartRow
          key={part.id}
          part={part}
          lessons={groups.find(({ section }) => section === part)?.lessons ?? []}
          isInSection={!part.isSection && sectionOf(parts, part) !== null}
          isFolded={folded.has(part.id)}
          isBusy={isBusy}
          canMove={(by) => movedBy(parts, part, by) !== parts}
          onMove={(by) => reorder(movedBy(parts, part, by))}
          onFold={() => fold(part.id)}
          onEdit={() => onEdit(part)}
          onRemove={() => onRemove(part)}
        />
      ))}
    </ol>
  )
}
