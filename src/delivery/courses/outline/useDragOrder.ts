import { type RefObject, useEffect, useEffectEvent } from 'react'

type Row = { id: string; isAfter: boolean }

type DragOrder = {
  /** Returns the row next to which a dragged row lands. Null: the dragged row does not move. */
  landingOf: (draggedId: string, over: Row) => Row | null
  onDrop: (draggedId: string, landing: Row) => void
}

const rowOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null

/**
 * Orders the rows of a list by dragging. A row has its id in `data-row` and a handle that is `draggable`. The
 * attribute `data-drop` marks the row next to which the dragged row would land.
 */
export function useDragOrder(list: RefObject<HTMLElement | null>, { landingOf, onDrop }: DragOrder) {
  const find = useEffectEvent(landingOf)
  const finish = useEffectEvent(onDrop)
  useEffect(() => {
    const element = list.current
    if (!element) return
    let draggedId: string | null = null
    let landing: Row | null = null
    function mark(next: Row | null) {
      element?.querySelector('[data-drop]')?.removeAttribute('data-drop')
      landing = next
      if (next)
        element?.querySelector(`[data-row="${next.id}"]`)?.setAttribute('data-drop', next.isAfter ? 'after' : 'before')
    }
    function start(event: DragEvent) {
      const row = rowOf(event.target)
      const isHandle = event.target instanceof HTMLElement && event.target.draggable
      if (!row || !isHandle || !event.dataTransfer) return
      draggedId = row.dataset.row ?? null
      event.dataTransfer.effectAllowed = 'move'
      // Firefox starts no drag without data
      event.dataTransfer.setData('text/plain', '')
      event.dataTransfer.setDragImage(row, 0, 0)
    }
    function moveOver(event: DragEvent) {
      const row = rowOf(event.target)
      if (draggedId === null || !row?.dataset.row) return
      const { top, height } = row.getBoundingClientRect()
      mark(find(draggedId, { id: row.dataset.row, isAfter: event.clientY > top + height / 2 }))
      if (landing) event.preventDefault()
    }
    function drop(event: DragEvent) {
      if (draggedId === null || !landing) return
      event.preventDefault()
      finish(draggedId, landing)
      end()
    }
    function end() {
      mark(null)
      draggedId = null
    }
    const listeners = { dragstart: start, dragover: moveOver, drop, dragend: end } as const
    for (const [type, run] of Object.entries(listeners)) element.addEventListener(type, run as EventListener)
    return () => {
      for (const [type, run] of Object.entries(listeners)) element.removeEventListener(type, run as EventListener)
    }
  }, [list])
}
