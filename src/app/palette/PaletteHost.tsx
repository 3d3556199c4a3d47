import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { lazyDialog, lazyPart } from '../../ui/lazyPart.tsx'
import { useDialog } from '../../ui/useDialog.ts'
import { useIsWide } from '../../ui/useMatches.ts'

const Palette = lazyDialog(() => import('./Palette.tsx'), 'Palette')
const SearchField = lazyPart(() => import('../../catalogue/shelf/SearchField.tsx'), 'SearchField')
const AddProductDialog = lazyDialog(
  () => import('../../catalogue/add-product/AddProductDialog.tsx'),
  'AddProductDialog',
)

const LOAD_AFTER_MS = 4000

/**
 * The search button in the top bar. It opens the palette, as do / outside fields and Ctrl or Cmd with K. Pages with
 * their own search field omit the button.
 */
export function PaletteHost({ userId }: { userId: string }) {
  const { open, props } = useDialog()
  const adding = useDialog()
  const [path] = useLocation()
  const isWide = useIsWide()
  // The text typed while the palette loads. Null when the palette handles the keys itself.
  const early = useRef<string | null>(null)
  const show = () => {
    early.current ??= ''
    open()
  }
  const close = () => {
    early.current = null
    props.onClose()
  }
  useEffect(() => {
    const timer = setTimeout(() => void Palette.preload(), LOAD_AFTER_MS)
    const press = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey
      if (early.current !== null && !hasModifier && !event.isComposing) {
        if (event.key === 'Escape') return close()
        if (event.key === 'Backspace') early.current = early.current.slice(0, -1)
        else if (event.key.length === 1) early.current += event.key
        else return
        return event.preventDefault()
      }
      const isTyping =
        event.target instanceof HTMLElement &&
        (event.target.isContentEditable || event.target.matches('input, textarea, select'))
      const isSlash = event.key === '/' && !isTyping && !hasModifier
      const isK =
        event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
      if ((!isSlash && !isK) || document.querySelector('dialog[open], .scrim')) return
      event.preventDefault()
      show()
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
      {path === '/categories' ? (
        isWide && <SearchField className="topbar__field" isFocused={false} />
      ) : path === '/library' ? null : (
        <button
          type="button"
          className="topbar__search affix input"
          aria-haspopup="dialog"
          aria-keyshortcuts="/ Control+K Meta+K"
          onPointerEnter={() => void Palette.preload()}
          onFocus={() => void Palette.preload()}
          onClick={show}
        >
          <Search className="icon" aria-hidden />
          <span>Search</span>
          <kbd aria-hidden>/</kbd>
        </button>
      )}
      {props.isOpen && (
        <Palette
          {...props}
          onClose={close}
          readEarly={() => early.current ?? ''}
          onReady={() => (early.current = null)}
          userId={userId}
          onAdd={adding.open}
        />
      )}
      {adding.isWanted && <AddProductDialog {...adding.props} />}
    </>
  )
}
