import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { addDiscount, listOwnDiscounts, type OwnDiscount } from '../../cart/discounts/ownDiscounts.contract.ts'
import { call } from '../../kit/call.client.ts'
import { Failure, isRefusal, reasonOf } from '../../kit/failure.ts'
import { keyOf } from '../../kit/query/query.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Dialog, DialogBody, DialogFoot, DialogForm } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'
import { copyCode, copyTerms } from './giveCopy.rules.ts'

type GiveCopyProps = DialogProps & { productId: string; title: string }

/** Makes a link with which one member gets the product for nothing. */
export const GiveCopyDialog = ({ isOpen, onClose, productId, title }: GiveCopyProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Give a copy" description={title}>
    <GiveCopy productId={productId} onClose={onClose} />
  </Dialog>
)

/** Each opening of the dialog makes at most one code, also when an answer is lost and the seller presses again. */
function GiveCopy({ productId, onClose }: { productId: string; onClose: () => void }) {
  const cache = useQueryClient()
  const [code] = useState(() => copyCode(crypto.getRandomValues(new Uint32Array(10))))
  const give = useMutation({
    mutationFn: () => makeOnce(productId, code),
    onSuccess: () => void cache.invalidateQueries({ queryKey: keyOf(listOwnDiscounts, {}) }),
  })
  const refused = give.error && (reasonOf(give.error, isRefusal) ?? 'That didn’t work. Please try again.')
  if (give.data) return <Made made={give.data} onClose={onClose} />
  return (
    <DialogForm label="Make a link" isBusy={give.isPending} onCancel={onClose} onSubmit={() => give.mutate()}>
      <p>The first member who opens the link and does not own the product gets one copy for nothing.</p>
      <Problem>{refused ?? undefined}</Problem>
    </DialogForm>
  )
}

const isTaken = (error: unknown) => error instanceof Failure && error.code === 'code_taken'

/** Adds the code, or finds the one that an earlier press added. */
async function makeOnce(productId: string, code: string): Promise<OwnDiscount> {
  try {
    return await call(addDiscount, copyTerms(productId, code, Date.now()))
  } catch (error) {
    const found = isTaken(error) && (await call(listOwnDiscounts, {})).find((one) => one.code === code)
    if (!found) throw error
    return found
  }
}

function Made({ made, onClose }: { made: OwnDiscount; onClose: () => void }) {
  const link = made.linkProductId && `${location.origin}/product/${made.linkProductId}?discount=${made.code}`
  const input = useRef<HTMLInputElement>(null)
  // the button that had the focus is gone
  useEffect(() => input.current?.focus(), [])
  return (
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
                  ref={input}
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
  )
}
