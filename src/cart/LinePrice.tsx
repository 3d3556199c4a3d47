import { useState } from 'react'
import { ChosenPrice } from '../catalogue/price/ChosenPrice.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogForm } from '../ui/Dialog.tsx'
import { useDialog } from '../ui/useDialog.ts'
import type { CartItem } from './cart.contract.ts'
import { setPrice } from './useCart.ts'

export function LinePrice({ line }: { line: CartItem }) {
  const dialog = useDialog()
  const { title, price, suggested, least } = line.product
  const [chosen, setChosen] = useState(price)
  return (
    <>
      <Button
        tone="quiet"
        aria-label={`Change the price of ${title}`}
        onClick={() => {
          setChosen(price)
          dialog.open()
        }}
      >
        Change price
      </Button>
      {dialog.isWanted && (
        <Dialog {...dialog.props} title="Change the price" description={title}>
          <DialogForm
            noValidate
            label="Change price"
            isBusy={false}
            onCancel={dialog.props.onClose}
            onSubmit={() => {
              if (chosen === '') return
              dialog.props.onClose()
              void setPrice(line, chosen)
            }}
          >
            <ChosenPrice
              least={least!}
              suggested={suggested!}
              value={price}
              label="What you pay for a copy"
              onChange={setChosen}
            />
          </DialogForm>
        </Dialog>
      )}
    </>
  )
}
