import { CustomerPane } from './CustomerPane.tsx'
import { Merge } from './Merge.tsx'
import { Notes } from './Notes.tsx'
import { Tags } from './Tags.tsx'
import type { Thread } from './inbox.contract.ts'

export const AboutCustomer = ({ thread: { customer, tags } }: { thread: Thread }) => (
  <>
    <CustomerPane customer={customer} />
    <Tags userId={customer.userId} tags={tags} />
    <Notes userId={customer.userId} />
    <Merge customer={customer} />
  </>
)
