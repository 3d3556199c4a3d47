import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KindButtons } from '../catalogue/add-product/KindChoice.tsx'
import type { KindName } from '../catalogue/kinds.rules.ts'
import { toastFailure } from '../identity/toastFailure.client.ts'
import { call } from '../kit/call.client.ts'
import { isRefusal, reasonOf } from '../kit/failure.ts'
import { keyOf } from '../kit/query/query.client.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { GOODS_TITLES } from './editParts/editParts.rules.ts'
import { Part } from './Part.tsx'
import { changeKind, getOwnProduct, type OwnDetail } from './selling.contract.ts'
import { useFreshOwn } from './useStanding.ts'

const waiting = <Skeleton height="8rem" />
const OwnFiles = lazyPart(() => import('./OwnFiles.tsx'), 'OwnFiles', waiting)
const CodesEditor = lazyPart(() => import('../delivery/codes/CodesEditor.tsx'), 'CodesEditor', waiting)

const ABOUT: Record<KindName, string> = {
  file: 'What buyers get. They keep the files they bought when you change these.',
  code: 'One code leaves with each copy sold, those of earlier lists first. Without codes, your product shows as sold out.',
  bundle: 'Several of your products for one price. Buyers get the goods of each.',
  license: 'We make a key for each order. A file is optional: the software, which buyers download beside their key.',
  course: 'Sections and lessons, which you edit below. Buyers take them in the shop and get a certificate.',
}

export function OwnGoods({ product }: { product: OwnDetail }) {
  const { id, delivery, isSold, variants, variantOf } = product
  const hasVariants = variants.length > 0
  const cache = useQueryClient()
  const refresh = useFreshOwn()
  const choose = useMutation({
    mutationFn: (kind: KindName) => call(changeKind, { id, delivery: kind }),
    onSuccess: (changed) => cache.setQueryData(keyOf(getOwnProduct, { id }), changed),
    onError: (error) => toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t change that. Please try again.'),
    onSettled: refresh,
  })
  const shown = choose.isPending ? choose.variables : delivery
  return (
    <Part title={GOODS_TITLES[delivery]} about={ABOUT[delivery]}>
      {!isSold && !hasVariants && !variantOf && (
        <KindButtons label="What buyers get" value={shown} onChange={(kind) => choose.mutate(kind)} />
      )}
      {hasVariants && (
        <p>
          {delivery === 'code'
            ? 'Each variant has its own codes.'
            : 'Every variant has these files, unless it has its own.'}
        </p>
      )}
      {delivery === 'bundle' && <p>The products that you choose below.</p>}
      {delivery === 'code' && !hasVariants && <CodesEditor productId={id} onChange={refresh} />}
      {(delivery === 'file' || delivery === 'license') && <OwnFiles product={product} />}
    </Part>
  )
}
