import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { addDiscount, listOwnDiscounts } from '../../cart/discounts/ownDiscounts.contract.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Dialog, DialogBody, DialogFoot, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'
import { copyTerms } from './giveCopy.rules.ts'

type GiveCopyProps = DialogProps & { productId: string; title: string }

/** Makes a link with which one member gets the product for nothing. */
export function GiveCopyDialog({ isOpen, onClose, productId, title }: GiveCopyProps) {
  const cache = useQueryClient()
  const give = useMutation({
    mutationFn: () => call(addDiscount, copyTerms(productId, Date.now(), crypto.getRandomValues(new Uint32Array(10)))),
    onSuccess: () => void cache.invalidateQueries({ queryKey: keyOf(listOwnDiscounts, {}) }),
  })
  const refused = give.error && (reasonOf(give.error, isRefusal) ?? 'That didn’t work. Please try again.')
  const made = give.data
  const link = made?.linkProductId && `${location.origin}/product/${made.linkProductId}?discount=${made.code}`
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Give a copy" description={title}>
      {made ? (
        <>
          <DialogBody>
            {link ? (
              <>
                <Field
                  label="Link to one free copy"
                  hint={`Works once${made.endsAt ? `, until ${formatDay(made.endsAt)}` : ''}. Discounts lists it as ${made.code}.`}
                >
                  {(field) => (
                    <input
                      {...field}
                      className="input mono"
                      readOnly
                      value={link}
                      onFocus={({ target }) => target.select()}
                    />
                  )}
                </Field>
                <Button icon={<Copy className="icon" aria-hidden />} onClick={() => void copyText(link, 'The link')}>
                  Copy link
                </Button>
              </>
            ) : (
              <p>{`The code ${made.code} gives one copy once the product is on sale.`}</p>
            )}
          </DialogBody>
          <DialogFoot>
            <Button onClick={onClose}>Close</Button>
          </DialogFoot>
        </>
      ) : (
        <DialogForm label="Make a link" isBusy={give.isPending} onCancel={onClose} onSubmit={() => give.mutate()}>
          <p>Whoever opens the link first gets one copy for nothing. Send it to the buyer, or to somebody else.</p>
          <Problem>{refused ?? undefined}</Problem>
        </DialogForm>
      )}
    </Dialog>
  )
}
