import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { call } from '../../kit/call.client.ts'
import { isConflict, reasonOf } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { query } from '../../kit/query/query.client.ts'
import { useAlways } from '../../kit/query/useAlways.ts'
import { startDownload } from '../../kit/download/startDownload.client.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import type { DialogProps } from '../../ui/useDialog.ts'
import { DetailsForm } from './DetailsForm.tsx'
import { correctInvoice, getInvoices, type InvoiceSheet, issueInvoice } from './invoices.contract.ts'
import { invoiceFile } from './invoice.rules.ts'

type InvoiceDialogProps = DialogProps & { orderId: string }

/** The documents of a paid order. The first download issues the invoice with the buyer's current details. */
export function InvoiceDialog({ isOpen, onClose, orderId }: InvoiceDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Invoice" description={`Order #${orderId.slice(-8)}`}>
      <DialogBody>
        <FreshSheet orderId={orderId} />
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>Done</Button>
      </DialogFoot>
    </Dialog>
  )
}

/** Refetches each time the dialog opens, because a new refund may exist. */
function FreshSheet({ orderId }: { orderId: string }) {
  const { data, isError, refetch } = useQuery({
    ...query(getInvoices, { id: orderId }),
    refetchOnMount: useAlways(),
  })
  if (data) return <Sheet orderId={orderId} sheet={data} refetch={refetch} />
  if (isError) return <ErrorState title="Couldn’t load the invoice" onRetry={() => void refetch()} />
  return <Skeleton height="14rem" />
}

type SheetProps = { orderId: string; sheet: InvoiceSheet; refetch: () => Promise<unknown> }

function Sheet({ orderId, sheet: { details, documents, refunds, canCorrect }, refetch }: SheetProps) {
  const [busy, setBusy] = useState<string | null>(null)
  const [isCorrecting, setCorrecting] = useState(false)
  const isIssued = documents.length > 0

  async function download(what: string, issue: () => Promise<{ id: string }>) {
    setBusy(what)
    try {
      const { id } = await issue()
      startDownload(invoiceFile(orderId, id))
      setCorrecting(false)
      await refetch()
    } catch (error) {
      toastFailure(error, reasonOf(error, isConflict) ?? 'We couldn’t get the invoice. Please try again.')
    } finally {
      setBusy(null)
    }
  }

  return (
    <>
      {isIssued && (
        <ul className="list" aria-label="Documents">
          {documents.map((one) => (
            <Document
              key={one.id}
              name={one.kind === 'invoice' ? 'Invoice' : 'Credit note'}
              about={`${one.number}, ${formatDay(one.issuedAt)}, ${usd(toCents(one.total))}${one.isCanceled ? ', canceled' : ''}`}
              isBusy={busy === one.id}
              onDownload={() => void download(one.id, async () => one)}
            />
          ))}
        </ul>
      )}
      {refunds.length > 0 && (
        <ul className="list" aria-label="Refunds without a credit note">
          {refunds.map(({ id: refundId, amount, at }) => (
            <Document
              key={refundId}
              name="Credit note"
              about={`Refund of ${formatDay(at)}, ${usd(toCents(amount))}`}
              isBusy={busy === refundId}
              onDownload={() => void download(refundId, () => call(issueInvoice, { id: orderId, refundId }))}
            />
          ))}
        </ul>
      )}
      {!isIssued || isCorrecting ? (
        <DetailsForm
          details={details}
          label={isIssued ? 'Issue corrected invoice' : 'Download invoice'}
          about={
            isIssued
              ? 'A credit note cancels the present invoice, and a new one takes its place.'
              : 'Your invoice keeps these details from the first download on.'
          }
          isBusy={busy === 'invoice'}
          onSaved={() => download('invoice', () => call(isIssued ? correctInvoice : issueInvoice, { id: orderId }))}
        />
      ) : (
        canCorrect && (
          <Button tone="quiet" className="self-start" onClick={() => setCorrecting(true)}>
            Correct the details
          </Button>
        )
      )}
    </>
  )
}

type DocumentProps = { name: string; about: string; isBusy: boolean; onDownload: () => void }

const Document = ({ name, about, isBusy, onDownload }: DocumentProps) => (
  <li className="list__row">
    <span className="grow wrap-anywhere">
      <strong>{name}</strong>
      <small>{about}</small>
    </span>
    <Button
      tone="soft"
      isBusy={isBusy}
      icon={<Download className="icon" aria-hidden />}
      aria-label={`PDF of ${name.toLowerCase()}, ${about}`}
      onClick={onDownload}
    >
      PDF
    </Button>
  </li>
)
