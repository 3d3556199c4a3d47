import { StaffThreads } from './StaffThreads.tsx'

type StaffMessagesProps = { memberId: string } | { orderId: string }

/** The messages of buyers and sellers, which support reads but does not answer. */
export const StaffMessages = (about: StaffMessagesProps) => (
  <section className="section" aria-labelledby="sale-messages">
    <h2 id="sale-messages" className="text-18">
      Between buyers and sellers
    </h2>
    <StaffThreads about={about} none={<p className="muted small">No messages.</p>} />
  </section>
)
