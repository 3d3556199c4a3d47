import { Headset, Inbox, LifeBuoy } from 'lucide-react'
import { showChat } from '../assistant/chatDoor.client.ts'
import { Button } from '../ui/Button.tsx'
import { LinkButton } from '../ui/Link.tsx'
import { Setting } from './Setting.tsx'

/** Where to get help; for staff also where to give it. */
export const SupportSetting = ({ isAdmin }: { isAdmin: boolean }) => (
  <Setting title="Support" about="Read how things work, or ask a person.">
    <div className="row">
      <LinkButton href="/help" icon={<LifeBuoy className="icon" aria-hidden />}>
        Help Center
      </LinkButton>
      <Button icon={<Headset className="icon" aria-hidden />} onClick={() => showChat(true)}>
        Contact Support
      </Button>
      {isAdmin && (
        <LinkButton href="/admin/chat" icon={<Inbox className="icon" aria-hidden />}>
          Support inbox
        </LinkButton>
      )}
    </div>
  </Setting>
)
