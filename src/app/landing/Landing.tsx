import { ArrowRight } from 'lucide-react'
import { Brand } from '../shell/Brand.tsx'
import { LandingChat } from './LandingChat.tsx'
import { StatusBarAt } from '../shell/StatusBar.tsx'

/** The landing page. scripts/build.ts renders it, and the server replaces the %PLACEHOLDERS%. */
export function Landing() {
  return (
    <>
      <div className="landing">
        <StatusBarAt time="" />
        <header className="landing__head">
          <span>
            <span className="brand">
              <Brand name="%STORE_NAME%" />
            </span>
            <small>Your Number One Digital Hub</small>
          </span>
          <a className="btn btn--line" href="/api/login">
            Sign in
          </a>
        </header>
        <main>
          %SENT%
          <section className="pitch">
            <div className="pitch__text">
              <h1>Fast and Reliable Digital Services</h1>
              <a className="btn btn--primary btn--lg" href="/api/login?sign-up">
                Get Started
                <ArrowRight className="icon" aria-hidden />
              </a>
              <div className="muted small">
                <p>%BONUS_TITLE%, up to %BONUS_CAP%.</p>
                <details className="conditions">
                  <summary>Conditions</summary>
                  <p>%BONUS_RULE%</p>
                </details>
              </div>
              <p className="muted small">%SANDBOX_NOTE%</p>
            </div>
            %FAN%
          </section>
          %LOOK%
          <section aria-label="What you get">
            <ul className="deck ticket ticket--row">
              {features.map(({ title, text }) => (
                <li key={title} className="ticket__part">
                  <h2>{title}</h2>
                  <p>{text}</p>
                </li>
              ))}
            </ul>
          </section>
          <section className="doors">
            <div className="door">
              <h2>Sell files, courses, or codes</h2>
              <a className="btn btn--line btn--lg" href="/api/login?sign-up&returnTo=%2Fselling">
                Start selling
              </a>
            </div>
            <div className="door hero on-hero">
              <h2>Already a member?</h2>
              <a className="btn btn--on-hero btn--lg" href="/api/login">
                Sign In to Continue
              </a>
            </div>
          </section>
        </main>
        <footer className="landing__foot">
          <span>© %YEAR% %STORE_NAME%</span>
          <a href="/terms">Terms</a>
          <a href="/privacy">Privacy</a>
          <a href="/refunds">Refunds</a>
          <a href="/help">Help</a>
        </footer>
      </div>
      <LandingChat />
    </>
  )
}

const features = [
  { title: 'Wide Product Range', text: '%COUNT%' },
  { title: '%CHAT_FEATURE%', text: '%CHAT_FEATURE_ABOUT%' },
  { title: 'Integrated Payments', text: 'Card or wallet.' },
] as const
