import { useState } from 'react'
import type { OwnDiscount } from '../../cart/discounts/ownDiscounts.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogForm } from '../../ui/Dialog.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { toast } from '../../ui/toasts/toast.client.ts'
import type { DialogProps } from '../../ui/useDialog.ts'
import { ChangedElsewhere } from '../ChangedElsewhere.tsx'
import { CodeField, DayFields, GoodsFields, LimitFields, OffFields } from './CodeFields.tsx'
import { DiscountUses } from './DiscountUses.tsx'
import { describeTyped, TYPED_NAMES } from './ownDiscount.rules.ts'
import { useCodeForm } from './useCodeForm.ts'
import { useDiscounts } from './useDiscounts.ts'
import { WhatBuyersSee } from './WhatBuyersSee.tsx'

type DiscountDialogProps = DialogProps & { /** Null for a new code. */ code: OwnDiscount | null }

export const DiscountDialog = ({ isOpen, onClose, code }: DiscountDialogProps) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title={code ? `Edit ${code.code}` : 'New discount code'}
    description="Orders that were placed keep their discount."
  >
    <CodeForm code={code} onClose={onClose} />
  </Dialog>
)

type CodeFormProps = { code: OwnDiscount | null; onClose: () => void }

function CodeForm({ code, onClose }: CodeFormProps) {
  const form = useCodeForm(code, onClose)
  const { values: typed, products, put } = form
  const fitting = products.filter(({ id }) => typed.productIds?.includes(id) ?? true)
  return (
    <DialogForm
      noValidate
      label={code ? 'Save code' : 'Create code'}
      isBusy={form.isBusy}
      onCancel={onClose}
      onSubmit={form.submit}
    >
      <ChangedElsewhere form={form} names={TYPED_NAMES} describe={describeTyped} />
      <CodeField form={form} />
      <OffFields form={form} product={fitting[0]} />
      <GoodsFields form={form} />
      <Switch
        label="First purchase only"
        hint="For buyers who have bought nothing from you yet."
        isOn={typed.isFirstOnly}
        onChange={(isFirstOnly) => put({ isFirstOnly })}
      />
      <LimitFields form={form} />
      <DayFields form={form} />
      <WhatBuyersSee products={fitting} typed={typed} />
      {code && <DiscountUses id={code.id} isDirty={form.isDirty} onLeave={onClose} />}
      {code && code.state !== 'ended' && <Ending code={code} onClose={onClose} />}
    </DialogForm>
  )
}

function Ending({ code, onClose }: { code: OwnDiscount; onClose: () => void }) {
  const { end } = useDiscounts()
  const [isBusy, setBusy] = useState(false)
  const endNow = async () => {
    setBusy(true)
    const isDone = await end(code)
    setBusy(false)
    if (!isDone) return
    toast({ title: `${code.code} has ended` })
    onClose()
  }
  return (
    <div className="row">
      <Button tone="bad-line" isBusy={isBusy} onClick={() => void endNow()}>
        End now
      </Button>
    </div>
  )
}
