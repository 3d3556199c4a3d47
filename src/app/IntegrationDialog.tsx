import type { Integration } from '../payments/integrations.contract.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'
import type { DialogProps } from './useDialog.ts'

const LIVE = ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID', 'PAYPAL_ENVIRONMENT=live']
const AWAY = 'The last check got no answer, or our credentials were refused. Payments may fail until it does.'

type Text = { about: string; found: Record<'active' | 'away', string>; settings: string[] }

const TEXTS: Record<Exclude<Integration['id'], 'crypto'>, Text> = {
  paypal: {
    about: 'The button in the cart opens PayPal, and an order is ready once our server has seen the money.',
    found: { active: 'The last check reached PayPal with our credentials.', away: AWAY },
    settings: LIVE,
  },
  wallet: {
    about: 'A PayPal wallet that a customer has saved. Quick Buy charges it in one step.',
    found: { active: "The last check reached PayPal's vault, where saved wallets are kept.", away: AWAY },
    settings: LIVE,
  },
}

/** What one way to be paid does, what its probe found, and what to set. */
export const IntegrationDialog = ({ integration, ...dialog }: DialogProps & { integration: Integration }) => (
  <Dialog {...dialog} title={integration.name}>
    <DialogBody>
      {integration.id === 'crypto' ? <Crypto /> : <Built integration={integration} text={TEXTS[integration.id]} />}
    </DialogBody>
    <DialogFoot>
      <Button onClick={dialog.onClose}>Close</Button>
    </DialogFoot>
  </Dialog>
)

const Crypto = () => (
  <>
    <p>
      <strong>Setup required.</strong> This version of the shop cannot take crypto yet, so the cart does not offer it
      and there is no setting that turns it on.
    </p>
    <p className="muted">The products of the category Crypto are sold all the same, and paid like everything else.</p>
  </>
)

const Built = ({ integration: { state, isSandbox }, text }: { integration: Integration; text: Text }) => (
  <>
    <p>{text.about}</p>
    <p>{text.found[state === 'active' ? 'active' : 'away']}</p>
    {(isSandbox || state !== 'active') && (
      <div className="stack gap-2">
        <p>
          {isSandbox
            ? 'It runs in a sandbox: no real money moves. To take real payments, whoever runs the shop sets'
            : 'Whoever runs the shop checks these settings:'}
        </p>
        <ul className="stack gap-1">
          {text.settings.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ul>
        <p className="muted small">
          <code>npm run shop -- doctor</code> tries them and says what is wrong.
        </p>
      </div>
    )}
  </>
)
