import { Copy, Plus } from 'lucide-react'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { copyText } from '../../ui/copy.client.ts'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import {
  addLicenseToken,
  type LicenseSettings,
  type LicenseToken,
  MAX_TOKENS,
  revokeLicenseToken,
} from './soldLicenses.contract.ts'

type TokenListProps = { productId: string; tokens: LicenseToken[]; onChange: (settings: LicenseSettings) => void }

export function TokenList({ productId, tokens, onChange }: TokenListProps) {
  const [isBusy, setBusy] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const [revoking, setRevoking] = useState<LicenseToken | null>(null)
  async function act(work: () => Promise<void>) {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      toastFailure(error, reasonOf(error, isRefusal) ?? 'That didn’t work. Please try again.')
    } finally {
      setBusy(false)
    }
  }
  const make = () =>
    act(async () => {
      const { token, ...settings } = await call(addLicenseToken, { id: productId })
      onChange(settings)
      setMade(token)
    })
  const revoke = ({ id: tokenId }: LicenseToken) =>
    act(async () => onChange(await call(revokeLicenseToken, { id: productId, tokenId })))
  return (
    <>
      {tokens.length > 0 && (
        <ul className="list" aria-label="Tokens">
          {tokens.map((token) => (
            <li key={token.id} className="list__row">
              <span className="grow">
                <strong className="text-14 mono">••••{token.ending}</strong>
                <small className="num">
                  Made {formatDay(token.createdAt)},{' '}
                  {token.usedOn ? `last used ${formatDay(`${token.usedOn}T12:00:00Z`)}` : 'never used'}
                </small>
              </span>
              <Button
                tone="bad-line"
                aria-label={`Revoke the token that ends in ${token.ending}`}
                onClick={() => setRevoking(token)}
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      {tokens.length < MAX_TOKENS ? (
        <Button
          tone="soft"
          className="self-start"
          icon={<Plus className="icon" aria-hidden />}
          isBusy={isBusy}
          onClick={() => void make()}
        >
          Make a token
        </Button>
      ) : (
        <p className="small muted">You have {MAX_TOKENS} tokens. Revoke one to make another.</p>
      )}
      {made && (
        <Dialog isOpen onClose={() => setMade(null)} title="Your token" description="We show it only now.">
          <DialogBody>
            <code className="wrap-anywhere">{made}</code>
          </DialogBody>
          <DialogFoot>
            <Button icon={<Copy className="icon" aria-hidden />} onClick={() => void copyText(made, 'The token')}>
              Copy
            </Button>
            <Button tone="primary" onClick={() => setMade(null)}>
              Done
            </Button>
          </DialogFoot>
        </Dialog>
      )}
      {revoking && (
        <ConfirmDialog
          isOpen
          onClose={() => setRevoking(null)}
          title="Revoke this token?"
          label="Revoke"
          tone="bad"
          onConfirm={() => void revoke(revoking)}
        >
          Software that uses it can no longer check keys, at once and for all buyers.
        </ConfirmDialog>
      )}
    </>
  )
}
