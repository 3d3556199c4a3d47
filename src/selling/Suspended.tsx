import { useQuery } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { getAccount } from '../identity/accounts/account.contract.ts'
import { query } from '../kit/query/query.client.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { Note } from '../ui/Note.tsx'

export function Suspended() {
  const { data } = useQuery(query(getAccount, {}))
  if (!data?.suspension) return null
  const { reason, endsAt } = data.suspension
  return (
    <div role="status">
      <Note
        Icon={Ban}
        title={endsAt ? `You can’t sell until ${formatDay(endsAt)}` : 'You can’t sell until we lift this suspension'}
        className="buy__off wrap-anywhere"
      >
        {reason} Your products are off sale and payouts wait. Your buyers keep what they bought. If you think that we
        are wrong, write to us in the chat.
      </Note>
    </div>
  )
}
