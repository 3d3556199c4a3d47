import { useState } from 'react'
import type * as z from 'zod/mini'
import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'
import type { FileGoods } from '../files/files.contract.ts'
import { useDownload } from '../files/useDownload.ts'
import { FilesDialog } from './FilesDialog.tsx'

type MoreFilesProps = {
  orderId: string
  line: { id: string; title: string }
  goods: z.infer<typeof FileGoods>
  onRefused: () => void
}

export function MoreFiles({ orderId, line, goods, onRefused }: MoreFilesProps) {
  const { download, busyLine } = useDownload(orderId, onRefused)
  const [isOpen, setOpen] = useState(false)
  const { newer, moreFiles } = goods
  return (
    <div className="goods__below stack gap-2">
      {newer && (
        <>
          <p className="small wrap-anywhere pre-line">
            <strong>New version of {formatDay(newer.addedAt)}.</strong> {newer.note}
          </p>
          <Button
            tone="soft"
            className="self-start"
            isBusy={busyLine !== null}
            onClick={() => void download(line.id, { isNewest: true })}
          >
            Download the new version
          </Button>
        </>
      )}
      {moreFiles > 0 && (
        <Button tone="quiet" className="self-start" onClick={() => setOpen(true)}>
          All {moreFiles + 1} files
        </Button>
      )}
      {isOpen && (
        <FilesDialog
          orderId={orderId}
          lineId={line.id}
          title={line.title}
          onClose={() => setOpen(false)}
          onRefused={onRefused}
        />
      )}
    </div>
  )
}
