import { CaseQueue } from '../../delivery/cases/CaseQueue.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { SellerTabs } from '../SellerTabs.tsx'

export const SellerCasesPage = () => (
  <div className="section gap-5">
    <SellerTabs />
    <PageHead title="Bad codes" about="Buyers reported these. Answer in time, or our staff decide." />
    <CaseQueue isStaff={false} />
  </div>
)
