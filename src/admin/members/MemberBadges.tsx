import { Ban, ShieldCheck } from 'lucide-react'
import type { Role } from '../../kit/contract.ts'
import { Badge } from '../../ui/Badge.tsx'

const ROLE_NAMES: Record<Role, string> = {
  member: 'Member',
  support: 'Support',
  finance: 'Finance',
  admin: 'Administrator',
}

export const MemberBadges = ({ role, isSuspended }: { role: Role; isSuspended: boolean }) => (
  <>
    {role !== 'member' && (
      <Badge look="accent" icon={<ShieldCheck className="icon" aria-hidden />}>
        {ROLE_NAMES[role]}
      </Badge>
    )}
    {isSuspended && (
      <Badge look="failed" icon={<Ban className="icon" aria-hidden />}>
        Suspended
      </Badge>
    )}
  </>
)
