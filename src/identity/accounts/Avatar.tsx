import { useState } from 'react'
import type { CurrentUser } from '../identity.contract.ts'
import { initialsOf } from './user.rules.ts'

type AvatarProps = { user: Pick<CurrentUser, 'firstName' | 'lastName' | 'profileImageUrl'>; isSmall?: boolean }

export function Avatar({ user, isSmall }: AvatarProps) {
  const [hasFailed, setFailed] = useState(false)
  return (
    <span className={`avatar ${isSmall ? 'avatar--sm' : ''}`} aria-hidden>
      {user.profileImageUrl && !hasFailed ? (
        <img src={user.profileImageUrl} alt="" onError={() => setFailed(true)} />
      ) : (
        initialsOf(user)
      )}
    </span>
  )
}
