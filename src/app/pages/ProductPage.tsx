import { ChevronLeft, Infinity as Forever, Lock, Share, ShieldCheck, Zap } from 'lucide-react'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { MAX_QUANTITY } from '../../cart/cart.contract.ts'
import { heightOfContents, heightOfSamples } from '../../cart/buy/reserved.rules.ts'
import { type PurchaseOptions, usePurchaseOptions } from '../../cart/buy/usePurchaseOptions.ts'
import { useAddToCart } from '../../cart/useCart.ts'
import { KindBadge } from '../../catalogue/badge/KindBadge.tsx'
import { getProduct, type Product, type ProductDetail } from '../../catalogue/catalogue.contract.ts'
import { ONE_IS_ENOUGH } from '../../catalogue/kinds.rules.ts'
import { ProductPrice } from '../../catalogue/price/ProductPrice.tsx'
import { ProductImage } from '../../catalogue/covers/ProductImage.tsx'
import { WishlistButton } from '../../catalogue/wishlist/WishlistButton.tsx'
import { useProduct } from '../../catalogue/useCatalogue.ts'
import { BuyNowButton, type LinkedCode } from '../../checkout/BuyNowButton.tsx'
import { isMissing } from '../../kit/call.client.ts'
import { useIsFirstView } from '../../kit/drawn.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { listPurchases } from '../../reviews/reviews.contract.ts'
import { StoreRating } from '../../reviews/StoreRating.tsx'
import { useView } from '../../selling/sales/useView.ts'
import { usePurchases } from '../../reviews/useReviews.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Link } from '../../ui/Link.tsx'
import { Note } from '../../ui/Note.tsx'
import { PageTitle } from '../../ui/PageHead.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { Stepper } from '../../ui/form/Stepper.tsx'
import { TicketPart } from '../../ui/Ticket.tsx'
import { AboutProduct } from '../../catalogue/AboutProduct.tsx'
import { Later } from '../../ui/Later.tsx'
import { PageSkeleton } from '../shell/lazyPage.tsx'
import { useIsLate } from '../../ui/useSettled.ts'
import { shareLink } from '../../ui/share.client.ts'

const CopiesNote = lazyPart(() => import('../../cart/CopiesNote.tsx'), 'CopiesNote')
const OwnStanding = lazyPart(
  () => import('../../moderation/OwnStanding.tsx'),
  'OwnStanding',
  <Skeleton height="8rem" />,
)

const ChosenPrice = lazyPart(
  () => import('../../catalogue/price/ChosenPrice.tsx'),
  'ChosenPrice',
  <Skeleton height="8.75rem" />,
)

const VariantChoice = lazyPart(
  () => import('../../delivery/VariantChoice.tsx'),
  'VariantChoice',
  <Skeleton height="2.75rem" />,
)

const OwnedProduct = lazyPart(() => import('./OwnedProduct.tsx'), 'OwnedProduct', <Skeleton height="6.375rem" />)

const secure = (className?: string) => (
  <Note Icon={ShieldCheck} title="Secure Purchase" className={className}>
    You only pay for what we can deliver.
  </Note>
)
const OwnedNote = lazyPart(
  () => import('./OwnedProduct.tsx').then(({ OwnedNote }) => ({ OwnedNote })),
  'OwnedNote',
  secure(),
)

// Loads only for a link with a discount code. It replaces the last note.
const LinkedDiscount = lazyPart(() => import('../../checkout/LinkedDiscount.tsx'), 'LinkedDiscount', secure())

const MissingProduct = lazyPart(() => import('../../catalogue/MissingProduct.tsx'), 'MissingProduct')

const loadBelow = () => import('../../purchases/together/BelowProduct.tsx')
const BelowProduct = lazyPart(() => loadBelow().then(({ BelowProduct }) => ({ BelowProduct })), 'BelowProduct')
const ProductSamples = lazyPart(() => loadBelow().then(({ ProductSamples }) => ({ ProductSamples })), 'ProductSamples')
const ProductContents = lazyPart(
  () => loadBelow().then(({ ProductContents }) => ({ ProductContents })),
  'ProductContents',
)
const ProductBar = lazyPart(() => loadBelow().then(({ ProductBar }) => ({ ProductBar })), 'ProductBar')

const TIMEOUT_MS = 800

const SIZES = '(min-width: 1024px) 26rem, 100vw'

const INCLUDED = [
  [Zap, 'Instant digital download'],
  [Forever, 'Lifetime access'],
  [Lock, 'Secure payment'],
] as const

export const firstView = (id: string) => [query(getProduct, { id }), query(listPurchases, { id })]

export function ProductPage({ id }: { id: string }) {
  const { product, detail, isPending, error, refetch } = useProduct(id)
  const owned = usePurchases(id)
  useView(detail)
  return (
    <div className="section">
      <Link href="/categories" className="link link--back">
        <ChevronLeft className="icon icon--sm" aria-hidden />
        All Categories
      </Link>
      {product ? (
        <ProductView key={product.id} id={id} product={product} detail={detail} owned={owned} />
      ) : isMissing(error) || (error?.message ?? '').startsWith('400') ? (
        <MissingProduct />
      ) : (
        <>
          <h1 className="sr">Product</h1>
          {isPending ? (
            <PageSkeleton outline="product" />
          ) : (
            <ErrorState title="Couldn’t load the product" onRetry={refetch} />
          )}
        </>
      )}
    </div>
  )
}

type ViewProps = { id: string; product: Product; detail?: ProductDetail; owned: ReturnType<typeof usePurchases> }

function ProductView({ id, product, detail, owned }: ViewProps) {
  const options = usePurchaseOptions(product)
  const { shown, quantity, price } = options
  const cart = useAddToCart(options.product)
  const buttons = useRef<HTMLDivElement>(null)
  const choose = () => buttons.current?.scrollIntoView({ block: 'center' })
  return (
    <>
      <div className="product-page">
        <div className="stack">
          <ProductImage
            product={product}
            sizes={SIZES}
            isLazy={false}
            className="frame--hero"
            missing="No preview available"
          />
          <Reserved rem={heightOfSamples(product, detail)}>{detail && <ProductSamples detail={detail} />}</Reserved>
        </div>
        <Buy id={id} product={product} detail={detail} owned={owned} options={options} cart={cart} buttons={buttons} />
        <div className="stack gap-8">
          <Later>
            <AboutProduct product={product} detail={detail} />
            {detail && <BelowProduct detail={detail} purchases={owned.purchases} />}
          </Later>
        </div>
      </div>
      {product.isActive && (
        <ProductBar
          product={options.product}
          buttons={buttons}
          label={options.product.most ? 'Choose a variant' : 'Add to Cart'}
          isBusy={cart.isAdding}
          isDisabled={!options.product.most && !shown.isActive}
          onPress={() => (options.product.most ? choose() : void cart.add(quantity, price))}
        />
      )}
    </>
  )
}

/** Reserves the height of a part that loads later. Renders nothing without a height. */
const Reserved = ({ rem, children }: { rem: number; children: ReactNode }) =>
  rem > 0 && <div style={{ minHeight: `${rem}rem` }}>{children}</div>

type BuyProps = ViewProps & {
  options: PurchaseOptions
  cart: ReturnType<typeof useAddToCart>
  buttons: RefObject<HTMLDivElement | null>
}

/** The discount code in a link. The server renders the page without it. */
function useLinkedCode(): string | null {
  const isFirstView = useIsFirstView()
  const [search] = useSearchParams()
  return isFirstView ? null : search.get('discount')
}

function Buy({ id, product: whole, detail, owned, options, cart, buttons }: BuyProps) {
  const { purchases, isPending, refetch } = owned
  const { product, shown, quantity, isFree } = options
  const code = useLinkedCode()
  const [discount, setDiscount] = useState<LinkedCode | null>(null)
  const isLate = useIsLate(TIMEOUT_MS)
  const purchase = purchases.find(({ delivery }) => delivery !== null)
  // A late response must not move the page, so it replaces the last note.
  const [isShown, setShown] = useState(false)
  if (isPending && isLate && !isShown) setShown(true)
  const waiting = isPending && !isLate ? 'buy__wait' : ''
  return (
    <section className="buy" aria-label="Buy">
      <div className="ticket">
        <TicketPart className="stack gap-4 roomy">
          <BuyHead product={whole} detail={detail} variant={options.variant} />
          <div className="stack">
            <PageTitle title={whole.title} />
            <StoreRating rating={detail?.rating} />
            <ProductPrice product={product} className="price--large" />
          </div>
          <Reserved rem={heightOfContents(detail)}>{detail && <ProductContents detail={detail} />}</Reserved>
          {detail && <StandingOrVariants id={id} product={whole} detail={detail} options={options} />}
          {purchase && !isShown && <OwnedProduct purchase={purchase} onRefused={() => void refetch()} />}
          {/* The download of an owned product would move the buttons down. */}
          <div ref={buttons} className={`stack gap-4 ${waiting}`}>
            <AddRow options={options} cart={cart} isOwned={purchase !== undefined} />
            {!(isFree && purchase) && <BuyNowButton product={shown} quantity={quantity} discount={discount} />}
          </div>
          {code && product.isActive ? (
            <LinkedDiscount
              code={code}
              product={product}
              file={detail?.file}
              price={shown.price}
              quantity={quantity}
              onChange={setDiscount}
            />
          ) : purchase && isShown ? (
            <OwnedNote purchase={purchase} />
          ) : (
            secure(waiting)
          )}
        </TicketPart>
        <TicketPart className={`roomy ${waiting}`}>
          <h2 className="text-16">What's included</h2>
          <ul className="included">
            {INCLUDED.map(([Icon, text]) => (
              <li key={text}>
                <Icon className="icon" aria-hidden />
                {text}
              </li>
            ))}
          </ul>
        </TicketPart>
      </div>
    </section>
  )
}

type BuyHeadProps = Pick<ViewProps, 'product' | 'detail'> & Pick<PurchaseOptions, 'variant'>

const BuyHead = ({ product, detail, variant }: BuyHeadProps) => (
  <div className="row row--between">
    <KindBadge kind={product.kind} facts={detail && { ...detail, devices: (variant ?? detail).devices }} />
    <span className="buy__tools">
      <WishlistButton product={product} />
      <IconButton
        label="Share"
        icon={<Share className="icon" aria-hidden />}
        onClick={() => void shareLink(product.title)}
      />
    </span>
  </div>
)

type StandingProps = { id: string; product: Product; detail: ProductDetail; options: PurchaseOptions }

/** Shows sellers why the product is not in the shop, and others its variants. */
function StandingOrVariants({ id, product, detail, options: { variant, setVariant } }: StandingProps) {
  if (detail.isMine || (detail.unlistedReason && !detail.isOutOfStock)) return <OwnStanding product={detail} />
  if (!detail.isOutOfStock && !product.most) return null
  return <VariantChoice detail={detail} wantedId={id} chosen={variant} onChoose={setVariant} />
}

type AddRowProps = Pick<BuyProps, 'options' | 'cart'> & { isOwned: boolean }

function AddRow({ options, cart: { add, isAdding }, isOwned }: AddRowProps) {
  const { product, quantity, setQuantity, price, setChosen, isFree, shown } = options
  const { suggested } = product
  const isOneEnough = product.kind !== undefined && ONE_IS_ENOUGH.includes(product.kind)
  return (
    <>
      {suggested && <ChosenPrice least={product.price} suggested={suggested} value={suggested} onChange={setChosen} />}
      <div className="row">
        {!isFree && (
          <Stepper label={`Quantity of ${product.title}`} value={quantity} max={MAX_QUANTITY} onChange={setQuantity} />
        )}
        <Button
          tone={isOwned || isFree ? 'line' : 'primary'}
          className="grow"
          isBusy={isAdding}
          disabled={!shown.isActive}
          onClick={() => void add(quantity, price)}
        >
          Add to Cart
        </Button>
      </div>
      {isOneEnough && quantity > 1 && <CopiesNote quantity={quantity} onOne={() => setQuantity(1)} />}
    </>
  )
}
