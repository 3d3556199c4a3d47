import { ChartNoAxesColumn, ChevronDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { AddToCartButton } from '../../purchases/AddToCartButton.tsx'
import { Cover } from '../../catalogue/covers/ProductImage.tsx'
import { ProductCard, ProductCardSkeleton } from '../../catalogue/ProductCard.tsx'
import { CategoryIcon } from '../../catalogue/categories/CategoryIcon.tsx'
import { shelfPath } from '../../catalogue/shelf/shelf.rules.ts'
import { categoriesQuery, FEATURED, featuredQuery, useCategories, useFeatured } from '../../catalogue/useCatalogue.ts'
import type { GoOn as Resumed } from '../../delivery/library/owned.contract.ts'
import { goOnQuery, useGoOn } from '../../delivery/library/useGoOn.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import { htmlData } from '../../kit/drawn.client.ts'
import { useNow } from '../../kit/useNow.ts'
import { useOnline } from '../../kit/useOnline.ts'
import { hourAt } from '../../localisation/dates.rules.ts'
import { Readiness } from '../../monitoring/health/Readiness.tsx'
import { useReadiness } from '../../monitoring/health/useReadiness.ts'
import { Button } from '../../ui/Button.tsx'
import { Later } from '../../ui/Later.tsx'
import { lazyDialog, lazyPart } from '../../ui/lazyPart.tsx'
import { Link } from '../../ui/Link.tsx'
import { PageTitle } from '../../ui/PageHead.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { useDialog } from '../../ui/useDialog.ts'
import { GoOn } from './GoOn.tsx'
import { greetingAt } from './greeting.rules.ts'
import { HeroArt } from './HeroArt.tsx'

const RecentOrder = lazyPart(() => import('../../purchases/RecentOrder.tsx'), 'RecentOrder')
const AddProductDialog = lazyDialog(
  () => import('../../catalogue/add-product/AddProductDialog.tsx'),
  'AddProductDialog',
)
const SystemStatusDetails = lazyPart(() => import('./SystemStatusDetails.tsx'), 'SystemStatusDetails')

export const firstView = () => [categoriesQuery, featuredQuery, goOnQuery]

export function HomePage() {
  const { isWanted, open, props } = useDialog()
  const goOn = useGoOn()
  return (
    <>
      <div className={goOn ? 'home-top home-top--owner' : 'home-top'}>
        <Welcome goOn={goOn} onAdd={open} />
        <section className="section" aria-labelledby="quick-actions">
          <h2 id="quick-actions">Quick Actions</h2>
          <div className="actions">
            <button
              type="button"
              className="action"
              onPointerEnter={() => void AddProductDialog.preload()}
              onClick={open}
            >
              <Plus className="icon" aria-hidden />
              Add Product
            </button>
            <Link className="action" href="/orders?tab=sales">
              <ChartNoAxesColumn className="icon" aria-hidden />
              Analytics
            </Link>
          </div>
        </section>
      </div>
      <Later>
        <Categories />
        <Readiness />
        <Featured onAdd={open} />
        <div className="home-foot">
          <RecentOrder />
          <SystemStatus />
        </div>
      </Later>
      {isWanted && <AddProductDialog {...props} />}
    </>
  )
}

function Welcome({ goOn, onAdd }: { goOn: Resumed | null; onAdd: () => void }) {
  const { user } = useSession()
  const now = useNow(60_000)
  const isNew = user?.isNewShopper
  const greeting = greetingAt(hourAt(now), user?.firstName)
  const title = <PageTitle title="Home">Your Number One Digital Hub</PageTitle>
  return (
    <section className="ticket ticket--row hero on-hero" aria-label="Welcome">
      <div className="ticket__part">
        <HeroArt />
        {goOn ? (
          <GoOn goOn={goOn} greeting={greeting} />
        ) : (
          <div className="hero__text">
            <p data-greeting>{greeting}</p>
            {title}
          </div>
        )}
      </div>
      <div className="ticket__part hero__stub">
        {goOn && title}
        {(isNew || !goOn) && <Pitch isNew={isNew === true} />}
        {isNew && (
          <Link className="btn btn--on-hero" href="/categories">
            Browse Products
          </Link>
        )}
        <Button
          tone={isNew || goOn ? 'ghost' : 'on-hero'}
          icon={<Plus className="icon" aria-hidden />}
          onPointerEnter={() => void AddProductDialog.preload()}
          onClick={onAdd}
        >
          Add Product
        </Button>
      </div>
    </section>
  )
}

function Pitch({ isNew }: { isNew: boolean }) {
  const { bonusTitle, bonusRule } = htmlData()
  if (!isNew)
    return (
      <p>
        <strong>Sell what you make</strong>
        <small>Add a file and a price. It goes on sale as soon as the file is uploaded.</small>
      </p>
    )
  if (!bonusTitle || !bonusRule)
    return (
      <p>
        <strong>Books, courses, codes and more</strong>
        <small>Delivered as soon as the payment is verified.</small>
      </p>
    )
  return (
    <p>
      <strong>{bonusTitle}</strong>
      {/* The first two sentences: the bonus and the exclusions. */}
      <small>{bonusRule.split('. ', 2).join('. ')}.</small>
      <Link className="hero__link" href="/help/store-credit">
        All conditions
      </Link>
    </p>
  )
}

function Categories() {
  const { data: categories, isError, refetch } = useCategories()
  return (
    <section className="section" aria-labelledby="categories">
      <div className="section__head">
        <h2 id="categories">Categories</h2>
        <Link className="link" href="/categories">
          View All
        </Link>
      </div>
      {isError && !categories ? (
        <ErrorState title="Couldn’t load the categories" onRetry={refetch} />
      ) : (
        <div className="cats">
          {categories?.map(({ id, name, icon }) => (
            <Link key={id} className="cat" href={shelfPath({ categoryId: id })}>
              <span className="frame">
                <Cover product={{ id: name, title: name, categoryId: id }} />
              </span>
              <span className="cat__name">
                <CategoryIcon path={icon} /> {name}
              </span>
            </Link>
          )) ??
            Array.from({ length: 7 }, (_, i) => (
              <span key={i} className="cat" aria-hidden>
                <Skeleton className="frame" />
                <span className="cat__name">
                  <Skeleton height="1rem" width="80%" />
                </span>
              </span>
            ))}
        </div>
      )}
    </section>
  )
}

function Featured({ onAdd }: { onAdd: () => void }) {
  const { data, isError, refetch } = useFeatured()
  const products = data?.items.slice(0, FEATURED)
  return (
    <section className="section" aria-labelledby="featured">
      <div className="section__head">
        <h2 id="featured">Featured Products</h2>
        <Link className="link" href="/categories">
          See All
        </Link>
      </div>
      {isError && !data ? (
        <ErrorState title="Couldn’t load the products" onRetry={refetch} />
      ) : products?.length === 0 ? (
        <div className="card">
          <EmptyState
            scene="shelf"
            level={3}
            title="Nothing here yet"
            action={
              <Button tone="primary" onClick={onAdd}>
                Add Your First Product
              </Button>
            }
          >
            The first three products will show up here.
          </EmptyState>
        </div>
      ) : (
        <div className="products products--featured">
          {products?.map((product) => (
            <ProductCard key={product.id} product={product} level={3} Action={AddToCartButton} />
          )) ?? Array.from({ length: FEATURED }, (_, i) => <ProductCardSkeleton key={i} />)}
        </div>
      )}
    </section>
  )
}

function SystemStatus() {
  const [isOpened, setOpened] = useState(false)
  const readiness = useReadiness()
  const isOnline = useOnline()
  const isHealthy = isOnline && readiness?.isHealthy !== false
  const health = readiness ? (isHealthy ? 'Healthy' : 'Degraded') : 'Checking'
  return (
    <details className="panel card" onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>
        <span className={`pulse ${isHealthy ? '' : 'pulse--wait'}`} />
        System Status
        <ChevronDown className="icon" aria-hidden />
      </summary>
      {isOpened && <SystemStatusDetails health={health} />}
    </details>
  )
}
