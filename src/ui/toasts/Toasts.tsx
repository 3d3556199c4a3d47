import { Check, Info, TriangleAlert, X } from 'lucide-react'
import * as Toast from 'radix-ui/toast'
import { useEffect } from 'react'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { useStore } from '../../kit/store.client.ts'
import { dismissToast, toasts } from './toast.client.ts'
import { TOAST_DURATION, TOAST_HOTKEY, TOAST_SWIPE } from './toasts.rules.ts'

const icons = {
  good: <Check className="icon" aria-hidden />,
  bad: <TriangleAlert className="icon" aria-hidden />,
  plain: <Info className="icon" aria-hidden />,
}

/**
 * Makes the buttons of toasts reachable by keyboard while a dialog is open. A dialog traps the focus with listeners on
 * the document, so this stops focus events of toasts before they reach the document.
 */
function useFocusBesideDialogs() {
  useEffect(() => {
    const html = document.documentElement
    const pass = (event: FocusEvent) => {
      const to = event.type === 'focusin' ? event.target : event.relatedTarget
      if (to instanceof Element && to.closest('.toasts')) event.stopPropagation()
    }
    html.addEventListener('focusin', pass)
    html.addEventListener('focusout', pass)
    return () => {
      html.removeEventListener('focusin', pass)
      html.removeEventListener('focusout', pass)
    }
  }, [])
}

export function Toasts() {
  const shown = useStore(toasts)
  useFocusBesideDialogs()
  return (
    <Toast.Provider duration={TOAST_DURATION} swipeDirection="right" swipeThreshold={TOAST_SWIPE}>
      {shown.map(({ id, title, description, tone = 'good', action, isOpen }) => (
        <Toast.Root
          key={id}
          open={isOpen}
          onOpenChange={(open) => !open && dismissToast(id)}
          type={tone === 'bad' ? 'foreground' : 'background'}
          className={`toast toast--${tone}`}
        >
          {icons[tone]}
          <div>
            <Toast.Title className="toast__title">{isolateRtl(title)}</Toast.Title>
            {description && (
              <Toast.Description className="toast__description">
                {typeof description === 'string' ? isolateRtl(description) : description}
              </Toast.Description>
            )}
          </div>
          <div className="toast__do">
            {action && (
              <Toast.Action altText={action.hint} className="btn btn--quiet toast__action" onClick={action.run}>
                {action.label}
              </Toast.Action>
            )}
            <Toast.Close className="icon-btn" aria-label="Close">
              <X className="icon" aria-hidden />
            </Toast.Close>
          </div>
        </Toast.Root>
      ))}
      {/* open dialogs hide other elements from screen readers, except live regions */}
      <Toast.Viewport className="toasts" hotkey={TOAST_HOTKEY} aria-live="off" />
    </Toast.Provider>
  )
}
