import { useStore } from '../../../kit/store.client.ts'
import { Dialog, DialogBody } from '../../../ui/Dialog.tsx'
import { Segment } from '../../../ui/form/Segment.tsx'
import { SizeButtons } from '../ReaderBar.tsx'
import { changeLook, readerLook } from './look.client.ts'
import { FONTS, MARGINS, MAX_SIZE, MIN_SIZE, PAPERS, SIZE_STEP } from './look.rules.ts'

/** `hasText` is false for a file whose pages are pictures: only its paper can change. */
type LookDialogProps = { isOpen: boolean; onClose: () => void; hasText: boolean }

export function LookDialog({ isOpen, onClose, hasText }: LookDialogProps) {
  const { paper, font, margin, size } = useStore(readerLook)
  const shown = paper ?? (document.documentElement.dataset.mode === 'dark' ? 'night' : 'white')
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={hasText ? 'Text and paper' : 'Paper'}>
      <DialogBody>
        <div className="papers" role="group" aria-label="Paper">
          {PAPERS.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              className="paper"
              aria-pressed={value === shown}
              onClick={() => changeLook({ paper: value })}
            >
              <span data-paper={value} aria-hidden>
                Aa
              </span>
              {label}
            </button>
          ))}
        </div>
        {!hasText && <p className="muted small">Dusk and Night invert the colours of pages, also of their pictures.</p>}
        {hasText && (
          <div className="looks">
            <span>Size</span>
            <SizeButtons
              size={size}
              least={MIN_SIZE}
              most={MAX_SIZE}
              step={SIZE_STEP}
              what="text"
              onChange={(next) => changeLook({ size: next })}
            />
            <span>Font</span>
            <Segment label="Font" options={[...FONTS]} value={font} onChange={(value) => changeLook({ font: value })} />
            <span>Margins</span>
            <Segment
              label="Margins"
              options={[...MARGINS]}
              value={margin}
              onChange={(value) => changeLook({ margin: value })}
            />
          </div>
        )}
      </DialogBody>
    </Dialog>
  )
}
