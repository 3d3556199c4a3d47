import { Button } from '../ui/Button.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { useDialog } from '../ui/useDialog.ts'
import type { CartItem } from './cart.contract.ts'
import { clearLines } from './useCart.ts'

const ConfirmDialog = lazyDialog(() => import('../ui/ConfirmDialog.tsx'), 'ConfirmDialog')

/** Clearing a cart with more lines needs a confirmation. */
const FEW_LINES = 3

export function ClearButton({ items }: { items: CartItem[] }) {
  const dialog = useDialog()
  const clear = () => void clearLines(items)
  return (
    <>
      <Button tone="quiet" className="flush-end" onClick={items.length > FEW_LINES ? dialog.open : clear}>
        Clear
      </Button>
      {dialog.isWanted && (
        <ConfirmDialog {...dialog.props} title="Clear the cart?" label="Clear cart" tone="bad" onConfirm={clear}>
          All {items.length} products will be removed.
        </ConfirmDialog>
      )}
    </>
  )
}
