import { ChevronRight, Headset, LifeBuoy } from 'lucide-react'
import { chatIsOpen } from '../assistant/chatState.client.ts'
import { LEGAL_PAGES } from '../kit/mail/legal.ts'
import { Link } from '../ui/Link.tsx'
import { Setting } from '../ui/Setting.tsx'

export const SupportSetting = () => (
  <Setting title="Support" about="Find answers, or ask a person.">
    <div className="list">
      <Link className="list__row" href="/help">
        <LifeBuoy className="icon" aria-hidden />
        <strong className="grow">Help Center</strong>
        <ChevronRight className="icon" aria-hidden />
      </Link>
      <button type="button" className="list__row" onClick={() => chatIsOpen.set(true)}>
        <Headset className="icon" aria-hidden />
        <strong className="grow">Contact Support</strong>
        <ChevronRight className="icon" aria-hidden />
      </button>
    </div>
    <p className="row gap-4">
      {LEGAL_PAGES.map(([href, name]) => (
        <a key={href} className="link" href={href}>
          {name}
        </a>
      ))}
    </p>
  </Setting>
)
