import type { Integration } from '../integrations.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { SavedWallets } from './SavedWallets.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'

const SETTINGS = ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID', 'PAYPAL_ENVIRONMENT=live']
const AWAY = 'The last check got no response, or our credentials were rejected. Payments may fail until this is fixed.'

type Text = { about: string; active: string }

const TEXTS: Record<string, Text> = {
  paypal: {
    about: 'The button in the cart opens PayPal. An order is ready once our server has confirmed the payment.',
    active: 'The last check connected to PayPal with our credentials.',
  },
  wallet: {
    about: 'A PayPal wallet that a customer has saved. Quick Buy charges it in one step.',
    active: "The last check connected to PayPal's vault, where saved wallets are kept.",
  },
}

/** What one way to be paid does, what its probe found, and what to set. */
export const IntegrationDialog = ({ integration, ...dialog }: DialogProps & { integration: Integration }) => (
  <Dialog {...dialog} title={integration.name}>
    <DialogBody>
      {TEXTS[integration.id] ? <Built integration={integration} text={TEXTS[integration.id]!} /> : <Crypto />}
    </DialogBody>
    <DialogFoot>
      <Button onClick={dialog.onClose}>Close</Button>
    </DialogFoot>
  </Dialog>
)

const Crypto = () => (
  <>
    <p>
      <strong>Setup required.</strong> This version of the store can’t accept crypto yet, so the cart doesn’t offer it
      and there’s no setting to turn it on.
    </p>
    <p className="muted">
      Products in the Crypto category are still for sale, and you pay for them like everything else.
    </p>
  </>
)

const Built = ({ integration: { id, state, isSandbox }, text }: { integration: Integration; text: Text }) => (
  <>
    <p>{text.about}</p>
    {id === 'wallet' && <SavedWallets />}
    <p>{state === 'active' ? text.active : AWAY}</p>
    {(isSandbox || state !== 'active') && (
      <div className="stack gap-2">
        <p>
          {isSandbox
            ? 'This is a sandbox: no real money is charged. To accept real payments, the store owner sets'
            : 'The store owner should check these settings:'}
        </p>
        <ul className="stack gap-1">
          {SETTINGS.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ul>
        <p className="muted small">
          <code>npm run shop -- doctor</code> tests them and tells you what’s wrong.
        </p>
      </div>
    )}
  </>
)
