import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'
import { Link } from '../ui/Link.tsx'
import type { OwnProduct } from './selling.contract.ts'
import type { useStanding } from './useStanding.ts'

type OptionsDialogProps = {
  product: Pick<OwnProduct, 'id' | 'title' | 'status' | 'isActive' | 'delivery'>
  standing: ReturnType<typeof useStanding>
  onClose: () => void
}

export function OptionsDialog({ product, standing, onClose }: OptionsDialogProps) {
  const [isRemoving, setRemoving] = useState(false)
  const act = (run: () => void) => () => {
    onClose()
    run()
  }
  if (isRemoving)
    return (
      <Dialog isOpen onClose={onClose} title={`Delete “${product.title}”?`}>
        <DialogBody>
          <p>
            It leaves the shop and this list for good. If anyone has ordered it or has it in a cart, it’s archived
            instead, and buyers keep what they bought.
          </p>
        </DialogBody>
        <DialogFoot onCancel={onClose}>
          <Button tone="bad" onClick={act(() => standing.remove(product))}>
            Delete
          </Button>
        </DialogFoot>
      </Dialog>
    )
  return (
    <Dialog isOpen onClose={onClose} title={product.title}>
      <DialogBody>
        <div className="list">
          <Link className="list__row" href={`/product/${product.id}`} onClick={onClose}>
            <strong>{product.isActive ? 'View in shop' : 'View its page'}</strong>
          </Link>
          {product.status === 'listed' || product.status === 'incomplete' ? (
            <Option name="Withdraw" onClick={act(() => standing.withdraw([product]))}>
              Takes it off sale. Buyers keep what they bought.
            </Option>
          ) : product.status === 'stopped' ? null : (
            <Option name="Put on sale" onClick={act(() => standing.relist([product]))}>
              Everyone can find and buy it.
            </Option>
          )}
          <Option name="Duplicate" onClick={act(() => standing.duplicate(product))}>
            Makes a draft with the same title, description, price and category.
          </Option>
          <Option name="Delete" onClick={() => setRemoving(true)}>
            Archives it if it was ever ordered.
          </Option>
        </div>
      </DialogBody>
    </Dialog>
  )
}

type OptionProps = { name: string; onClick: () => void; children: string }

const Option = ({ name, onClick, children }: OptionProps) => (
  <button type="button" className="list__row" onClick={onClick}>
    <span>
      {name}
      <small>{children}</small>
    </span>
  </button>
)
