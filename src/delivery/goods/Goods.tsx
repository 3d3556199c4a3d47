import './goods.css'
import { Download, Files, Layers } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { plural } from '../../localisation/plural.rules.ts'
import { formatBytes, formatOf } from '../../localisation/sizes.rules.ts'
import { lazyDialog } from '../../ui/lazyPart.tsx'
import { Menu, type MenuItem } from '../../ui/menu/Menu.tsx'
import type { Delivery } from '../delivery.contract.ts'
import { useDownload } from '../files/useDownload.ts'
import { type Act, actOf } from './act.rules.ts'
import { ActButton } from './ActButton.tsx'
import { groupByBundle } from './groups.rules.ts'
import { NewVersion } from './NewVersion.tsx'

type BoughtLine = {
  id: string
  title: string
  delivery: Delivery | null
  bundle?: { id: string; title: string } | null | undefined
}
type GoodsProps<L extends BoughtLine> = {
  orderId: string
  lines: L[]
  /** Why the goods of a line do not open. */
  absence: (line: L) => string
  picture: (line: L, size: 'small' | 'large') => ReactNode
  notes?: ((line: L) => ReactNode) | undefined
  menuOf: (line: L) => MenuItem[]
  /** Actions of all goods together. */
  menuOfAll: MenuItem[]
  onRefused: () => void
}

const RevealSheet = lazyDialog(() => import('../codes/RevealSheet.tsx'), 'RevealSheet')
const LicenseSheet = lazyDialog(() => import('../licenses/LicenseSheet.tsx'), 'LicenseSheet')
const FilesDialog = lazyDialog(() => import('./FilesDialog.tsx'), 'FilesDialog')

const SHEETS: Partial<Record<Act, { preload: () => unknown }>> = { 'Show code': RevealSheet, 'Show key': LicenseSheet }

type Shown<L> = { line: L; sheet: 'goods' | 'files' }

/** What an order delivered. A single thing is a ticket with its cover. Several are a list, with one group for each bundle. */
export function Goods<L extends BoughtLine>(props: GoodsProps<L>) {
  const { orderId, lines, absence, picture, notes, menuOf, menuOfAll, onRefused } = props
  const { download, busyLine } = useDownload(orderId, onRefused)
  const [shown, setShown] = useState<Shown<L> | null>(null)
  const close = () => setShown(null)
  const sheet = shown && { orderId, lineId: shown.line.id, title: shown.line.title, onClose: close, onRefused }
  const partsOf = (line: L): LineParts => {
    const act = line.delivery && actOfGoods(line.delivery)
    const isBusy = busyLine === line.id
    const newer = line.delivery?.kind === 'file' ? line.delivery.newer : null
    const fetch = () => void download(line.id)
    const items = [...fileItems(line.delivery, act, fetch, () => setShown({ line, sheet: 'files' })), ...menuOf(line)]
    const below = notes?.(line)
    return {
      about: describe(line.delivery) ?? absence(line),
      act: (isLarge) =>
        act && (
          <ActButton
            {...{ act, lineId: line.id, title: line.title, isBusy, isLarge }}
            tone={isLarge ? 'primary' : 'soft'}
            onNear={() => void SHEETS[act]?.preload()}
            onPress={act === 'Download' ? fetch : () => setShown({ line, sheet: 'goods' })}
          />
        ),
      menu: items.length > 0 && <Menu label={`More for ${line.title}`} items={items} />,
      below: (newer || below) && (
        <div className="goods__below stack gap-2">
          {newer && (
            <NewVersion version={newer} isBusy={isBusy} onDownload={() => void download(line.id, { isNewest: true })} />
          )}
          {below}
        </div>
      ),
    }
  }
  const [only] = lines
  return (
    <>
      {lines.length === 1 && only?.delivery ? (
        <Deed title={only.title} picture={picture(only, 'large')} parts={partsOf(only)} />
      ) : (
        <div className="ticket">
          <div className="ticket__part goods">
            <div className="goods__head">
              <h2 className="text-18">{lines.length === 1 ? 'Your goods' : `${lines.length} goods`}</h2>
              {menuOfAll.length > 0 && <Menu label="More for all" items={menuOfAll} />}
            </div>
            {groupByBundle(lines).map(({ bundle, lines: some }, i) => (
              <div key={bundle?.id ?? ''} className={bundle ? 'goods__bundle' : undefined}>
                {bundle ? (
                  <h3 className="goods__name">
                    <Layers className="icon icon--sm" aria-hidden />
                    <span>
                      <bdi>{bundle.title}</bdi> <small>{plural(some.length, 'thing')}</small>
                    </span>
                  </h3>
                ) : (
                  i > 0 && <h3 className="goods__name">{some.length} more</h3>
                )}
                <ul className="goods__list">
                  {some.map((line) => (
                    <Row key={line.id} title={line.title} picture={picture(line, 'small')} parts={partsOf(line)} />
                  ))}
                </ul>
              </div>
            ))}
          </div>
        </div>
      )}
      {sheet && shown.sheet === 'files' && <FilesDialog {...sheet} />}
      {sheet && shown.sheet === 'goods' && shown.line.delivery?.kind === 'code' && (
        <RevealSheet {...sheet} count={shown.line.delivery.count} />
      )}
      {sheet && shown.sheet === 'goods' && shown.line.delivery?.kind === 'license' && <LicenseSheet {...sheet} />}
    </>
  )
}

type LineParts = { about: string; act: (isLarge: boolean) => ReactNode; menu: ReactNode; below: ReactNode }
type PartProps = { title: string; picture: ReactNode; parts: LineParts }

const Deed = ({ title, picture, parts: { about, act, menu, below } }: PartProps) => (
  <div className="ticket">
    <div className="ticket__part deed__main">
      {picture}
      <div className="deed__text">
        <h2>{title}</h2>
        <p>{about}</p>
      </div>
    </div>
    <div className="ticket__part deed__stub">
      <div className="deed__do">
        {act(true)}
        {menu}
      </div>
      {below}
    </div>
  </div>
)

const Row = ({ title, picture, parts: { about, act, menu, below } }: PartProps) => (
  <li>
    {picture}
    <span className="goods__text">
      <strong className="clamp-2">{title}</strong>
      <small>{about}</small>
    </span>
    <span className="goods__do">
      {act(false)}
      {menu}
    </span>
    {below}
  </li>
)

/** Null while there is nothing to open yet: codes that a supplier has still to send, or that were all given away. */
function actOfGoods(goods: Delivery): Act | null {
  if (goods.kind === 'code' && goods.count === 0) return null
  return actOf(goods.kind, goods.kind === 'file' ? goods.fileName : undefined)
}

function fileItems(goods: Delivery | null, act: Act | null, fetch: () => void, showAll: () => void): MenuItem[] {
  const icon = <Download className="icon" aria-hidden />
  if (goods?.kind === 'file' && goods.moreFiles > 0)
    return [
      { label: `All ${goods.moreFiles + 1} files`, icon: <Files className="icon" aria-hidden />, onChoose: showAll },
    ]
  const file = goods?.kind === 'file' ? goods : goods?.kind === 'license' ? goods.file : null
  return file && act !== 'Download' ? [{ label: `Download ${sizeOf(file)}`, icon, onChoose: fetch }] : []
}

const sizeOf = ({ fileName, sizeBytes }: { fileName: string; sizeBytes: number }) =>
  `${formatOf(fileName)}, ${formatBytes(sizeBytes)}`

function describe(goods: Delivery | null): string | null {
  if (goods?.kind === 'file')
    return goods.moreFiles > 0 ? `${sizeOf(goods)}, and ${plural(goods.moreFiles, 'more file')}` : sizeOf(goods)
  if (goods?.kind === 'license')
    return `Licence key for ${goods.devices === 1 ? 'one device' : `${goods.devices} devices`}`
  if (goods?.kind === 'course')
    return goods.done > 0 ? `${goods.done} of ${plural(goods.lessons, 'lesson')}` : plural(goods.lessons, 'lesson')
  return goods && (goods.count === 1 ? 'One code' : `${goods.count} codes`)
}
