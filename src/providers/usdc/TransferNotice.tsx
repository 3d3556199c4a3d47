import { useQuery } from '@tanstack/react-query'
import { query } from '../../kit/query/query.client.ts'
import { LinkButton } from '../../ui/Link.tsx'
import { RefundAddress } from './RefundAddress.tsx'
import { getTransfer } from './transfers.contract.ts'

export function TransferNotice({ orderId }: { orderId: string }) {
  const { data } = useQuery({ ...query(getTransfer, { orderId }), refetchOnMount: 'always' })
  if (!data) return null
  return (
    <>
      <RefundAddress payment={data} />
      <LinkButton tone="quiet" href={`/pay/${orderId}`}>
        USDC payment
      </LinkButton>
    </>
  )
}
