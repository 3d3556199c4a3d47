import { Search } from 'lucide-react'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { useDialog } from '../../ui/useDialog.ts'

const Palette = lazyDialog(() => import('./Palette.tsx'), 'Palette')
const AddProductDialog = lazyDialog(
  () => import('../../catalogue/add-product/AddProductDialog.tsx'),
  'AddProductDialog',
)

/** How long after the first page the palette loads, in milliseconds. */
const QUIET = 4000

/** The search field in the top bar, which opens the palette. So do / outside of fields, and Ctrl or Cmd with K. */
export function PaletteHost({ userId }: { userId: string }) {
  const { open, props } = useDialog()
  const adding = useDialog()
  const [path] = useLocation()
  useEffect(() => {
    const timer = setTimeout(() => void Palette.preload(), QUIET)
    const press = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        (event.target.isContentEditable || event.target.matches('input, textarea, select'))
      const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
      const isK =
        event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if ((!isSlash && !isK) || document.querySelector('dialog[open], .scrim')) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', press)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', press)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a setter never changes
  }, [])
  return (
    <>
      {/* the shelf has a search field of its own */}
      {path !== '/categories' && (
        <button
          type="button"
          className="topbar__search affix input"
          aria-haspopup="dialog"
          aria-keyshortcuts="/ Control+K Meta+K"
          onPointerEnter={() => void Palette.preload()}
          onFocus={() => void Palette.preload()}
          onClick={open}
        >
          <Search className="icon" aria-hidden />
          <span>Search</span>
          <kbd aria-hidden>/</kbd>
        </button>
      )}
      {props.isOpen && <Palette {...props} userId={userId} onAdd={adding.open} />}
      {adding.isWanted && <AddProductDialog {...adding.props} />}
    </>
  )
}
