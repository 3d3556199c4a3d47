import { ChevronRight, Headset, Inbox, LifeBuoy } from 'lucide-react'
import { showChat } from '../assistant/chatDoor.client.ts'
import { Link } from '../ui/Link.tsx'
import { Setting } from './Setting.tsx'

/** Where to get help; for staff also where to give it. */
export const SupportSetting = ({ isAdmin }: { isAdmin: boolean }) => (
  <Setting title="Support" about="Read how things work, or ask a person.">
    <div className="list">
      <Link className="list__row" href="/help">
        <LifeBuoy className="icon" aria-hidden />
        <strong className="grow">Help Center</strong>
        <ChevronRight className="icon" aria-hidden />
      </Link>
      <button type="button" className="list__row" onClick={() => showChat(true)}>
        <Headset className="icon" aria-hidden />
        <strong className="grow">Contact Support</strong>
        <ChevronRight className="icon" aria-hidden />
      </button>
      {isAdmin && (
        <Link className="list__row" href="/admin/chat">
          <Inbox className="icon" aria-hidden />
          <strong className="grow">Support inbox</strong>
          <ChevronRight className="icon" aria-hidden />
        </Link>
      )}
    </div>
  </Setting>
)
