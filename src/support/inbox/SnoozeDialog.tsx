import { formatMoment } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogBody } from '../../ui/Dialog.tsx'
import { SNOOZES } from './team.contract.ts'

type SnoozeDialogProps = {
  isOpen: boolean
  onClose: () => void
  until: string | null
  /** 0 ends the snooze. */
  onChoose: (hours: number) => void
}

export function SnoozeDialog({ isOpen, onClose, until, onChoose }: SnoozeDialogProps) {
  const choose = (hours: number) => {
    onClose()
    onChoose(hours)
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Snooze"
      description={
        until ? `Snoozed until ${formatMoment(until)}.` : 'A new message of the customer brings it back earlier.'
      }
    >
      <DialogBody>
        {SNOOZES.map((hours) => (
          <Button key={hours} isWide onClick={() => choose(hours)}>
            {hours < 24 ? plural(hours, 'hour') : plural(hours / 24, 'day')}
          </Button>
        ))}
        {until && (
          <Button tone="primary" isWide onClick={() => choose(0)}>
            Wake now
          </Button>
        )}
      </DialogBody>
    </Dialog>
  )
}
