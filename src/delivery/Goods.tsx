import { Download, Eye } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatBytes, formatOf } from '../localisation/sizes.rules.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyDialog, lazyPart } from '../ui/lazyPart.tsx'
import type { Delivery } from './delivery.contract.ts'
import { useDownload } from './files/useDownload.ts'

type BoughtLine = {
  id: string
  title: string
  quantity: number
  delivery: Delivery | null
  bundle?: { title: string } | null | undefined
}
type GoodsProps<L extends BoughtLine> = {
  orderId: string
  lines: L[]
  absence: (line: L) => string
  picture: (line: L) => ReactNode
  below?: ((line: L) => ReactNode) | undefined
  onRefused: () => void
}

const OpenGoods = lazyPart(() => import('./reading/OpenGoods.tsx'), 'OpenGoods')
const RevealSheet = lazyDialog(() => import('./codes/RevealSheet.tsx'), 'RevealSheet')
const LicenseSheet = lazyDialog(() => import('./licenses/LicenseSheet.tsx'), 'LicenseSheet')

export function Goods<L extends BoughtLine>({ orderId, lines, absence, picture, below, onRefused }: GoodsProps<L>) {
  const { download, busyLine } = useDownload(orderId, onRefused)
  const [shown, setShown] = useState<L | null>(null)
  const sheet = shown && { orderId, lineId: shown.id, title: shown.title, onClose: () => setShown(null), onRefused }
  return (
    <>
      <h3>Your goods</h3>
      <ul className="goods">
        {lines.map((line) => (
          <li key={line.id} className="list__row">
            {picture(line)}
            <span className="grow">
              <strong className="text-14">{line.title}</strong>
              <small>
                {describe(line, absence(line))}
                {line.bundle && (
                  <>
                    , from <bdi>{line.bundle.title}</bdi>
                  </>
                )}
              </small>
            </span>
            {fileOf(line) && (
              <IconButton
                label={`Download ${line.title}`}
                look="add"
                icon={busyLine === line.id ? <span className="spinner" /> : <Download className="icon" aria-hidden />}
                disabled={busyLine === line.id}
                onClick={() => void download(line.id)}
              />
            )}
            {line.delivery?.kind === 'code' && (
              <Button
                tone="soft"
                icon={<Eye className="icon" aria-hidden />}
                aria-label={`Reveal the code of ${line.title}`}
                onPointerEnter={() => void RevealSheet.preload()}
                onClick={() => setShown(line)}
              >
                Reveal
              </Button>
            )}
            {line.delivery?.kind === 'license' && (
              <Button
                tone="soft"
                icon={<Eye className="icon" aria-hidden />}
                aria-label={`Key and devices of ${line.title}`}
                onPointerEnter={() => void LicenseSheet.preload()}
                onClick={() => setShown(line)}
              >
                Key
              </Button>
            )}
            {line.delivery && <OpenGoods {...{ orderId, line, onRefused }} goods={line.delivery} />}
            {below && <div className="goods__below stack gap-2">{below(line)}</div>}
          </li>
        ))}
      </ul>
      {sheet && shown.delivery?.kind === 'code' && <RevealSheet {...sheet} count={shown.delivery.count} />}
      {sheet && shown.delivery?.kind === 'license' && <LicenseSheet {...sheet} />}
    </>
  )
}

const fileOf = ({ delivery }: BoughtLine) =>
  delivery?.kind === 'file' ? delivery : delivery?.kind === 'license' ? delivery.file : null

function describe({ delivery }: BoughtLine, absence: string): string {
  if (delivery?.kind === 'file') return `${formatOf(delivery.fileName)}, ${formatBytes(delivery.sizeBytes)}`
  if (delivery?.kind === 'license')
    return `Licence key for ${delivery.devices === 1 ? 'one device' : `${delivery.devices} devices`}`
  if (delivery?.kind === 'course') return `${delivery.lessons} lessons`
  if (delivery?.kind === 'code') return delivery.count === 1 ? 'One code' : `${delivery.count} codes`
  return absence
}
