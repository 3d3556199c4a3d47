import { CaseQueue } from '../delivery/cases/CaseQueue.tsx'
import { StaffPage } from './StaffPage.tsx'

export const CodeCasesPage = () => (
  <StaffPage title="Bad codes" about="Sellers declined these reports, or did not answer in time.">
    <CaseQueue isStaff />
  </StaffPage>
)
