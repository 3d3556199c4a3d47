import './selling.css'
import { X } from 'lucide-react'
import { useState } from 'react'
import { toastFailure } from '../identity/toastFailure.client.ts'
import type { useList } from '../kit/query/useList.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyDialog } from '../ui/lazyPart.tsx'
import { useReadMore } from '../ui/useReadMore.ts'
import { OwnTable } from './OwnTable.tsx'
import type { OwnProduct } from './selling.contract.ts'
import { useStanding } from './useStanding.ts'

const OptionsDialog = lazyDialog(() => import('./OptionsDialog.tsx'), 'OptionsDialog')

type OwnProductsProps = {
  list: ReturnType<typeof useList<OwnProduct>>
  step: number
}

export function OwnProducts({ list, step }: OwnProductsProps) {
  const { items: products, total, readMore, isReadingMore } = list
  const [chosen, setChosen] = useState(new Set<string>())
  const [optionsOf, setOptionsOf] = useState<OwnProduct | null>(null)
  const standing = useStanding()
  const { list: body, readOn } = useReadMore<HTMLTableSectionElement>(readMore, (error) =>
    toastFailure(error, 'Failed to load more products. Please try again.'),
  )
  const picked = products.filter(({ id }) => chosen.has(id))
  const choose = (ids: string[], isOn: boolean) =>
    setChosen((before) =>
      isOn ? new Set([...before, ...ids]) : new Set([...before].filter((id) => !ids.includes(id))),
    )
  const act = (run: (products: OwnProduct[]) => void) => () => {
    run(picked)
    setChosen(new Set())
  }
  return (
    <>
      <OwnTable products={products} body={body} chosen={chosen} onChoose={choose} onOptions={setOptionsOf} />
      {readMore && (
        <div className="row row--center more">
          <Button isBusy={isReadingMore} onClick={readOn}>
            Show {Math.min(step, total - products.length)} more
          </Button>
        </div>
      )}
      {picked.length > 0 && (
        <div className="dock" role="region" aria-label="Selected products">
          <p role="status">
            <strong className="num">{picked.length} selected</strong>
            <small className="clamp-1">{picked.map(({ title }) => title).join(', ')}</small>
          </p>
          <div className="dock__do">
            <Button tone="soft" onClick={act(standing.relist)}>
              Put on sale
            </Button>
            <Button tone="soft" onClick={act(standing.withdraw)}>
              Withdraw
            </Button>
            <IconButton
              label="Clear the selection"
              icon={<X className="icon" aria-hidden />}
              onClick={() => setChosen(new Set())}
            />
          </div>
        </div>
      )}
      {optionsOf && <OptionsDialog product={optionsOf} standing={standing} onClose={() => setOptionsOf(null)} />}
    </>
  )
}
