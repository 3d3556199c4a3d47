import { Button } from './Button.tsx'

/** Removes the list item around it, and first moves the focus to the next item, or to the page after the last one. */
export const RemoveButton = ({ title, onRemove }: { title: string; onRemove: () => void }) => (
  <Button
    tone="quiet"
    aria-label={`Remove ${title}`}
    onClick={({ currentTarget }) => {
      const { nextElementSibling: next, previousElementSibling: previous } = currentTarget.closest('li')!
      const near = (next ?? previous)?.querySelector<HTMLElement>('a, button')
      ;(near ?? document.getElementById('main'))?.focus({ preventScroll: true })
      onRemove()
    }}
  >
    Remove
  </Button>
)
