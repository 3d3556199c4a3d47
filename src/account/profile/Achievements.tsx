import type { CurrentUser } from '../../identity/identity.contract.ts'
import { useNow } from '../../kit/useNow.ts'
import { useOrderSums } from '../../orders/useOrders.ts'
import { achievementsOf } from './achievements.rules.ts'

export function Achievements({ user }: { user: CurrentUser }) {
  const { sums, isPending } = useOrderSums()
  const now = useNow(3_600_000)
  const stamps = achievementsOf(sums?.completed ?? 0, user.createdAt, now)
  const won = stamps.filter(({ isWon }) => isWon).length
  return (
    <section className="section" aria-labelledby="achievements">
      <div className="section__head">
        <h2 id="achievements">Achievements</h2>
        {won > 0 && (
          <span className="muted small num">
            {won} of {stamps.length}
          </span>
        )}
      </div>
      <div className="card stack gap-4 stamps-card">
        <ul className="stamps">
          {stamps.map(({ name, isWon, mark, turn }) => (
            <li
              key={name}
              className={`stamp ${isWon ? 'is-won' : ''}`}
              style={{ '--turn': `${turn}deg` }}
              aria-label={`${name}: ${isWon ? 'earned' : 'not yet'}`}
            >
              <svg viewBox="0 0 64 64" aria-hidden="true">
                {isWon && <circle className="tint" cx="32" cy="32" r="29" />}
                <circle cx="32" cy="32" r="29" strokeDasharray={isWon ? undefined : '3 4'} />
                {isWon && (
                  <>
                    <circle cx="32" cy="32" r="24" />
                    <path d={mark} strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
                  </>
                )}
              </svg>
              {name}
            </li>
          ))}
        </ul>
        {won === 0 && !isPending && <p className="muted small">Start shopping to unlock achievements!</p>}
      </div>
    </section>
  )
}
