import { formatDay } from '../localisation/dates.rules.ts'
import { Pair } from '../ui/Pair.tsx'
import type { CaseFile } from './moderation.contract.ts'
import { Suspension } from './Suspension.tsx'

type SellerProps = Pick<CaseFile, 'seller' | 'isOwn'>

export function SellerPane({ seller, isOwn }: SellerProps) {
  const { name, email, since, listed, takeDowns } = seller
  return (
    <>
      <div className="stack gap-1">
        <h2 className="text-18">{name}</h2>
        <p className="muted small wrap-anywhere">{email}</p>
        <p className="muted small">Member since {formatDay(since)}</p>
      </div>
      <dl className="pairs small">
        <Pair name="Products" value={`${listed.toLocaleString('en')} listed`} />
        <Pair name="Take-downs" value={String(takeDowns)} />
      </dl>
      {!isOwn && <Suspension seller={seller} />}
    </>
  )
}
