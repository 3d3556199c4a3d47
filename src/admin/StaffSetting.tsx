import { ChevronRight, IdCard } from 'lucide-react'
import { Link } from '../ui/Link.tsx'
import { ADMIN_PAGES } from './adminPages.ts'
import { Setting } from '../ui/Setting.tsx'

/** Links to the staff pages. Loaded for administrators only. */
export const StaffSetting = () => (
  <Setting title="Staff" about="Waiting customers, held purchases, and the activity log.">
    <div className="list">
      {ADMIN_PAGES.map(({ href, name }) => (
        <Link key={href} className="list__row" href={href}>
          <IdCard className="icon" aria-hidden />
          <strong className="grow">{name}</strong>
          <ChevronRight className="icon" aria-hidden />
        </Link>
      ))}
    </div>
  </Setting>
)
