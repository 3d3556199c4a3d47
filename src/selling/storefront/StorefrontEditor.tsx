import './storefront.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CurrentUser } from '../../identity/identity.contract.ts'
import { useSession } from '../../identity/sessions/useSession.ts'
import { query } from '../../kit/query/query.client.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { UnsavedDock } from '../dock/UnsavedDock.tsx'
import { Part } from '../Part.tsx'
import { listOwnProducts } from '../selling.contract.ts'
import { ColorField } from './ColorField.tsx'
import {
  describeAccent,
  describeHeader,
  designOf,
  FIELD_NAMES,
  isDesigned,
  MAX_CHOICES,
  PLAIN,
} from './editor.rules.ts'
import { FeaturedField } from './FeaturedField.tsx'
import { HeaderField } from './HeaderField.tsx'
import { LinkFields } from './LinkFields.tsx'
import { PagePreview } from './PagePreview.tsx'
import { SectionOrder } from './SectionOrder.tsx'
import { getSeller, MAX_BIO_LENGTH, type Storefront } from './storefront.contract.ts'
import { type PageForm, usePageForm } from './usePageForm.ts'

/** What the pickers show before a colour is chosen: the colours of the shop in light mode. */
const USUAL_HEADER = '#ffffff'
const USUAL_ACCENT = '#1b4dd1'
const productsQuery = query(listOwnProducts, { status: 'listed', limit: MAX_CHOICES })

export function StorefrontEditor({ storefront }: { storefront: Storefront }) {
  const form = usePageForm(storefront)
  const { values, changed, isDirty, put } = form
  const [chosen, setChosen] = useState<{ url: string; previewUrl: string | null } | null>(null)
  const { data: products = [], isPending, isError, refetch } = useQuery({ ...productsQuery, refetchOnMount: 'always' })
  const seller = useOwnSeller(storefront)
  const { design } = storefront
  const featured =
    products.find(({ id }) => id === values.featuredId) ??
    (design?.featured?.id === values.featuredId ? design.featured : null)
  const shown = designOf(
    values,
    featured,
    design?.header?.url === values.headerURL ? (design.header.color ?? null) : null,
  )
  const header = shown.header && chosen?.url === shown.header.url && chosen.previewUrl
  return (
    <div className="split">
      <form className="stack gap-5" noValidate onSubmit={form.submit}>
        <Problem>{form.problem}</Problem>
        <Texts form={form} />
        <Part title="Header picture" about="Above your name. Without one, the header is plain.">
          <HeaderField
            hasPicture={values.headerURL !== null}
            onChange={(url, previewUrl) => {
              setChosen(url === null ? null : { url, previewUrl })
              put({ headerURL: url })
            }}
          />
        </Part>
        <Part title="Colors" about="Text on them stays readable in light and dark mode.">
          <div className="stack gap-4">
            <ColorField
              label="Header"
              value={values.headerColor}
              usual={USUAL_HEADER}
              hint={values.headerColor ? describeHeader(values.headerColor) : 'The color behind your name.'}
              onChange={(headerColor) => put({ headerColor })}
            />
            <ColorField
              label="Accent"
              value={values.accentColor}
              usual={USUAL_ACCENT}
              hint={values.accentColor ? describeAccent(values.accentColor) : 'The color of buttons and links.'}
              onChange={(accentColor) => put({ accentColor })}
            />
          </div>
        </Part>
        <Part title="Order" about="The parts of your page from top to bottom. A part without content is left out.">
          <SectionOrder sections={values.sections} onChange={(sections) => put({ sections })} />
        </Part>
        <Part title="Featured product" about="One product of yours that stands out.">
          {isPending ? (
            <Skeleton height="2.75rem" />
          ) : isError && products.length === 0 ? (
            <ErrorState title="Couldn’t load your products" onRetry={() => void refetch()} />
          ) : (
            <FeaturedField form={form} products={products} featured={featured} />
          )}
        </Part>
        <Part title="Links" about="Other sites of yours, such as a blog or a portfolio.">
          <LinkFields form={form} />
        </Part>
        {isDesigned(values) && (
          <div className="row">
            <Button onClick={() => put(PLAIN)}>Reset the design</Button>
            <span className="muted small">Returns to the look of the shop. Nothing changes until you save.</span>
          </div>
        )}
        {isDirty && (
          <UnsavedDock
            changed={changed}
            names={FIELD_NAMES}
            label="Save changes"
            isSaving={form.isBusy}
            onDiscard={() => form.restart(form.base)}
          />
        )}
      </form>
      <aside className="split__side page-preview__side" aria-label="Your page">
        <PagePreview
          seller={{ ...seller, bio: values.bio.trim() }}
          design={header ? { ...shown, header: { url: header, color: null } } : shown}
        />
      </aside>
    </div>
  )
}

function Texts({ form }: { form: PageForm }) {
  const { handle, bio } = form.values
  return (
    <Part title="Address and text" about="Your name and picture come from your profile.">
      <Field
        label="Address"
        hint={`/seller/${handle || '…'}. A former address leads to the new one.`}
        error={form.errorOf('handle')}
      >
        {(control) => (
          <input
            {...control}
            {...form.field('handle', {
              onChange: ({ target }) => form.put({ handle: target.value.toLowerCase().replace(/\s+/g, '-') }),
            })}
            className="input"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={30}
          />
        )}
      </Field>
      <Field label="About you" note="optional" hint={`${bio.length} of ${MAX_BIO_LENGTH} characters`}>
        {(control) => (
          <textarea {...control} {...form.field('bio')} className="input" rows={5} maxLength={MAX_BIO_LENGTH} />
        )}
      </Field>
    </Part>
  )
}

/** First name and initial, as the shop shows sellers. */
const publicNameOf = ({ firstName, lastName }: Pick<CurrentUser, 'firstName' | 'lastName'>) =>
  [firstName, lastName && `${lastName.slice(0, 1)}.`].filter(Boolean).join(' ') || 'Primo seller'

/** The public data of the member. Before the page opens, the data of the profile. */
function useOwnSeller({ handle, isOpen }: Storefront) {
  const { user } = useSession()
  const { data } = useQuery({ ...query(getSeller, { handle: handle ?? '' }), enabled: isOpen && handle !== null })
  if (data) return data
  return {
    name: user ? publicNameOf(user) : '',
    avatarUrl: user?.profileImageUrl ?? null,
    rated: null,
    since: user?.createdAt ?? new Date().toISOString(),
  }
}
