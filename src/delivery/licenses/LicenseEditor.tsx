import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { keyOf, query } from '../../kit/query/query.client.ts'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { getLicenseSettings, type LicenseSettings } from './soldLicenses.contract.ts'
import { TermsForm } from './TermsForm.tsx'
import { TokenList } from './TokenList.tsx'

const SoldLicenses = lazyPart(() => import('./SoldLicenses.tsx'), 'SoldLicenses', <Skeleton height="8rem" />)

export function LicenseEditor({ productId }: { productId: string }) {
  const { data: settings, isError, refetch } = useQuery(query(getLicenseSettings, { id: productId }))
  const cache = useQueryClient()
  const show = (changed: LicenseSettings) => {
    const queryKey = keyOf(getLicenseSettings, { id: productId })
    // A read that began before the change would show former values.
    void cache.cancelQueries({ queryKey })
    cache.setQueryData(queryKey, changed)
  }
  if (isError) return <ErrorState title="Couldn’t load the licence keys" onRetry={() => void refetch()} />
  if (!settings) return <Skeleton height="16rem" />
  return (
    <>
      <section className="card stack gap-4" aria-label="Licence keys">
        <div>
          <h2 className="text-18">Licence keys</h2>
          <p className="muted small">
            We make a key for each order. Each unit is a seat. Changes are for keys sold from now on.
          </p>
        </div>
        <TermsForm productId={productId} settings={settings} onSaved={show} />
      </section>
      <section className="card stack gap-4" aria-label="Tokens of your software">
        <div>
          <h2 className="text-18">Tokens of your software</h2>
          <p className="muted small">
            Your software sends one with each check of a key. To replace a token, make a new one, ship it, then revoke
            the old one.
          </p>
        </div>
        <TokenList productId={productId} tokens={settings.tokens} onChange={show} />
      </section>
      {settings.isSold && <SoldLicenses productId={productId} />}
    </>
  )
}
