import { lazyPart } from '../../ui/lazyPart.tsx'
import { LinkButton } from '../../ui/Link.tsx'
import type { Delivery } from '../delivery.contract.ts'
import { readPath, verbOf } from './verb.rules.ts'

const MoreFiles = lazyPart(() => import('../library/MoreFiles.tsx'), 'MoreFiles')

type OpenGoodsProps = { orderId: string; line: { id: string; title: string }; goods: Delivery; onRefused: () => void }

export function OpenGoods({ orderId, line, goods, onRefused }: OpenGoodsProps) {
  const verb = goods.kind === 'course' ? 'Open' : goods.kind === 'file' ? verbOf(goods.fileName) : null
  return (
    <>
      {verb && (
        <LinkButton
          tone="soft"
          href={goods.kind === 'course' ? `/learn/${line.id}` : readPath(line.id)}
          aria-label={`${verb} ${line.title}`}
        >
          {verb}
        </LinkButton>
      )}
      {goods.kind === 'file' && (goods.newer || goods.moreFiles > 0) && (
        <MoreFiles {...{ orderId, line, onRefused, goods }} />
      )}
    </>
  )
}
