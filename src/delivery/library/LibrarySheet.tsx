import { Archive, ArchiveRestore } from 'lucide-react'
import { endOf } from '../../localisation/sentence.rules.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../ui/Dialog.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import { FileList } from './FileList.tsx'
import type { Owned } from './owned.contract.ts'
import { CLOSED_TEXTS, describeOwned } from './library.rules.ts'
import { refreshLibrary } from './useLibrary.ts'

type LibrarySheetProps = { owned: Owned; onClose: () => void; onArchive: () => void }

export function LibrarySheet({ owned, onClose, onArchive }: LibrarySheetProps) {
  const { title, seller, bundle, boughtAt, openedAt, orderId, closedBy, isArchived, files } = owned
  const opened = openedAt ? ` Last opened on ${formatDay(openedAt)}.` : ''
  const from = bundle ? ` in ${bundle}` : ''
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={`${describeOwned(owned)}, by ${endOf(seller)} Bought on ${formatDay(boughtAt)}${from}.${opened}`}
    >
      <DialogBody>
        {closedBy && <p className="small">{CLOSED_TEXTS[closedBy]}.</p>}
        {files && !closedBy && (
          <FileList orderId={orderId} lineId={owned.id} owned={owned} onRefused={() => void refreshLibrary()} />
        )}
      </DialogBody>
      <DialogFoot>
        <Button
          tone="ghost"
          icon={isArchived ? <ArchiveRestore className="icon" aria-hidden /> : <Archive className="icon" aria-hidden />}
          onClick={onArchive}
        >
          {isArchived ? 'Put back' : 'Archive'}
        </Button>
        <LinkButton href={`/orders/${orderId}`}>Open the order</LinkButton>
      </DialogFoot>
    </Dialog>
  )
}
