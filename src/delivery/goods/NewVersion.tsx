import { formatDay } from '../../localisation/dates.rules.ts'
import { Button } from '../../ui/Button.tsx'

type NewVersionProps = { version: { addedAt: string; note: string | null }; isBusy: boolean; onDownload: () => void }

export const NewVersion = ({ version: { addedAt, note }, isBusy, onDownload }: NewVersionProps) => (
  <>
    <p className="small wrap-anywhere pre-line">
      <strong>New version of {formatDay(addedAt)}.</strong> {note}
    </p>
    <Button tone="soft" className="self-start" isBusy={isBusy} onClick={onDownload}>
      Download the new version
    </Button>
  </>
)
