import './selling.css'
import { Ellipsis } from 'lucide-react'
import { useId, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useCategories } from '../catalogue/useCatalogue.ts'
import { formatMoment } from '../localisation/dates.rules.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { Select } from '../ui/form/Select.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyDialog, lazyPart } from '../ui/lazyPart.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { ChangedElsewhere } from './ChangedElsewhere.tsx'
import { UnsavedDock } from './dock/UnsavedDock.tsx'
import { FIELD_NAMES, type FieldName } from './edit.rules.ts'
import { canHaveVariants, editPartsOf } from './editParts/editParts.rules.ts'
import { PartNav, PartAnchor } from './editParts/PartNav.tsx'
import { Part } from './Part.tsx'
import { PriceChoice, PriceField } from './PriceFields.tsx'
import type { OwnDetail } from './selling.contract.ts'
import { StandingBadge } from './StandingBadge.tsx'
import { type EditForm as Form, useEdit } from './useEdit.ts'
import { useFreshOwn, useStanding } from './useStanding.ts'

const waiting = <Skeleton height="8rem" />
const DescriptionEditor = lazyPart(
  () => import('./DescriptionEditor.tsx'),
  'DescriptionEditor',
  <Skeleton height="18rem" />,
)
const OwnImage = lazyPart(() => import('./OwnImage.tsx'), 'OwnImage', waiting)
const OwnGoods = lazyPart(() => import('./OwnGoods.tsx'), 'OwnGoods', waiting)
const PreviewEditor = lazyPart(() => import('../catalogue/previews/PreviewEditor.tsx'), 'PreviewEditor', waiting)
const BuyersView = lazyPart(() => import('./BuyersView.tsx'), 'BuyersView', <Skeleton height="24rem" />)
const LicenseEditor = lazyPart(() => import('../delivery/licenses/LicenseEditor.tsx'), 'LicenseEditor', waiting)
const VariantsEditor = lazyPart(() => import('./variants/VariantsEditor.tsx'), 'VariantsEditor', waiting)
const BundleEditor = lazyPart(() => import('./bundles/BundleEditor.tsx'), 'BundleEditor', waiting)
const CourseEditor = lazyPart(() => import('../delivery/courses/CourseEditor.tsx'), 'CourseEditor', waiting)
const OptionsDialog = lazyDialog(() => import('./OptionsDialog.tsx'), 'OptionsDialog')

export function EditForm({ product }: { product: OwnDetail | null }) {
  const form = useEdit(product)
  const { values, changed, isDirty, put } = form
  const { data: categories = [] } = useCategories()
  const [hasOptions, setHasOptions] = useState(false)
  const standing = useStanding()
  const formId = useId()
  const isPriceFixed = values.suggested === null
  const putOnSale = async (one: OwnDetail) => {
    if (!isDirty || (await form.save())) standing.relist([one])
  }
  return (
    <>
      <PageHead
        title={product ? `Edit ${product.title}` : 'New draft'}
        about={
          product ? `Last saved ${formatMoment(product.updatedAt)}.` : 'Only you can see it until you put it on sale.'
        }
        action={
          product && (
            <Actions product={product} onSale={() => putOnSale(product)} onOptions={() => setHasOptions(true)} />
          )
        }
      />
      <ChangedElsewhere
        form={form}
        names={FIELD_NAMES}
        describe={(name, one) => describeValue(name, one[name], categories)}
      />
      <div className="split">
        <div className="stack gap-5">
          {/* only around the fields, because the editors contain forms, and HTML forbids nested forms */}
          <form id={formId} noValidate onSubmit={form.submit}>
            <PartAnchor id="basics">
              <Basics product={product} form={form} />
            </PartAnchor>
          </form>
          {product && (
            <>
              <PartAnchor id="goods">
                <OwnGoods product={product} />
              </PartAnchor>
              <KindEditors product={product} isPriceFixed={isPriceFixed} />
            </>
          )}
          <PartAnchor id="description">
            <Part
              title="Description"
              about="Headings (#), lists (-), **bold**, *italic* and [links](https://…) of Markdown."
            >
              <DescriptionEditor value={values.description} onChange={(description) => put({ description })} />
            </Part>
          </PartAnchor>
          {product && (
            <>
              <PartAnchor id="cover">
                <Part title="Cover" about="Without a picture of yours, we show a generated cover.">
                  <OwnImage product={{ ...product, ...values }} onChange={(imageUrl) => put({ imageUrl })} />
                </Part>
              </PartAnchor>
              <PartAnchor id="previews">
                <Part title="Previews" about="Everybody sees these before buying: pictures and samples.">
                  <PreviewEditor productId={product.id} fileName={soldFileOf(product)} />
                </Part>
              </PartAnchor>
            </>
          )}
          {(isDirty || !product) && (
            <UnsavedDock
              form={formId}
              changed={changed}
              names={FIELD_NAMES}
              label={product ? 'Save changes' : 'Save draft'}
              isSaving={form.isBusy}
              onDiscard={() => form.restart(form.base)}
            />
          )}
        </div>
        {product && (
          <div className="split__side">
            <PartNav parts={editPartsOf(product.delivery, isPriceFixed)} />
            <aside className="stack gap-4" aria-label="In the shop">
              <BuyersView product={product} values={values} />
            </aside>
          </div>
        )}
      </div>
      {hasOptions && product && (
        <OptionsDialog
          product={product}
          standing={{ ...standing, remove: (one) => standing.remove(one, () => navigate('/my-products')) }}
          onClose={() => setHasOptions(false)}
        />
      )}
    </>
  )
}

/** The name of the first file that buyers get. */
const soldFileOf = ({ delivery, files }: OwnDetail): string | undefined =>
  delivery === 'file' || delivery === 'license' ? files[0]?.name : undefined

function describeValue(name: FieldName, value: string | null, categories: { id: string; name: string }[]): string {
  if (name === 'imageUrl') return value ? 'another picture' : 'no picture'
  if (name === 'categoryId') return categories.find(({ id }) => id === value)?.name ?? '(empty)'
  if (name === 'suggested' && value === null) return 'a fixed price'
  return `${name === 'price' || name === 'suggested' ? '$' : ''}${value || '(empty)'}`
}

type ActionsProps = { product: OwnDetail; onSale: () => Promise<void>; onOptions: () => void }

const Actions = ({ product, onSale, onOptions }: ActionsProps) => (
  <div className="row">
    <StandingBadge product={product} />
    {(product.status === 'draft' || product.status === 'withdrawn') && (
      <Button tone="soft" onClick={() => void onSale()}>
        Put on sale
      </Button>
    )}
    <IconButton
      label={`Options of ${product.title}`}
      look="line"
      icon={<Ellipsis className="icon" aria-hidden />}
      onClick={onOptions}
    />
  </div>
)

function Basics({ product, form }: { product: OwnDetail | null; form: Form }) {
  const { data: categories = [] } = useCategories()
  const hasVariants = product !== null && product.variants.length > 0
  return (
    <Part title="What you sell">
      <Field label="Title" error={form.errorOf('title')}>
        {(control) => (
          <input className="input" autoComplete="off" maxLength={200} {...control} {...form.field('title')} />
        )}
      </Field>
      <div className="formgrid">
        {hasVariants ? <p className="muted small">Its variants below have the prices.</p> : <PriceField form={form} />}
        <Field label="Category" error={form.errorOf('categoryId')}>
          {(control) => (
            <Select
              placeholder="Choose one"
              options={categories.map(({ id, name }) => ({ value: id, label: name }))}
              {...control}
              {...form.field('categoryId')}
            />
          )}
        </Field>
      </div>
      {!hasVariants && product?.delivery !== 'bundle' && <PriceChoice form={form} />}
    </Part>
  )
}

function KindEditors({ product, isPriceFixed }: { product: OwnDetail; isPriceFixed: boolean }) {
  const refresh = useFreshOwn()
  const { delivery } = product
  return (
    <>
      {canHaveVariants(delivery, isPriceFixed) && (
        <PartAnchor id="variants">
          <VariantsEditor product={product} />
        </PartAnchor>
      )}
      {delivery === 'bundle' && (
        <PartAnchor id="bundle">
          <BundleEditor product={product} />
        </PartAnchor>
      )}
      {delivery === 'license' && (
        <PartAnchor id="license">
          <LicenseEditor productId={product.id} />
        </PartAnchor>
      )}
      {delivery === 'course' && (
        <PartAnchor id="lessons">
          <CourseEditor productId={product.id} onChange={refresh} />
        </PartAnchor>
      )}
    </>
  )
}
