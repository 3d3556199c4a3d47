import { ArrowRight, Gift } from 'lucide-react'
import { Brand } from '../shell/Brand.tsx'
import { HeroArt } from '../pages/HeroArt.tsx'
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
          <a className="link" href="/api/login">
            Sign in
          </a>
        </header>
        <main>
          %SENT%
          <section className="pitch">
            <div className="pitch__text">
              <h1>Fast and Reliable Digital Services</h1>
              <p>
                Gift cards, crypto, prepaid Visa cards, e‑books, courses, software and audio. Most orders are ready
                within seconds.
              </p>
              <a className="btn btn--primary btn--lg" href="/api/login?sign-up">
                Get Started
                <ArrowRight className="icon" aria-hidden />
              </a>
              <p className="muted small">%SANDBOX_NOTE%</p>
              <div className="secure">
                <Gift className="icon" aria-hidden />
                <span>
                  <b>%BONUS_TITLE%</b>%BONUS_RULE%
                </span>
              </div>
            </div>
            %FAN%
          </section>
          <section aria-label="What you get" className="landing__features">
            <ul className="deck ticket ticket--row">
              {features.map(({ title, text, figure: [label, value] }) => (
                <li key={title} className="ticket__part">
                  <div>
                    <h2>{title}</h2>
                    <p>{text}</p>
                  </div>
                  <p className="deck__figure">
                    <span>{label}</span>
                    <b>{value}</b>
                  </p>
                </li>
              ))}
            </ul>
          </section>
          <section className="closing">
            <div className="ticket ticket--row hero on-hero">
              <div className="ticket__part">
                <HeroArt />
                <div className="hero__text">
                  <h2>Already a member?</h2>
                  <p>Your codes, files, and receipts are right where you left them.</p>
                </div>
              </div>
              <div className="ticket__part hero__stub">
                <a className="btn btn--on-hero btn--lg" href="/api/login">
                  Sign In to Continue
                </a>
              </div>
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
  {
    title: 'Wide Product Range',
    text: 'Gift cards, crypto, books, courses, software, and audio, sold by the store and its members.',
    figure: ['In the shop today', '%COUNT%'],
  },
  {
    title: '%CHAT_FEATURE%',
    text: '%CHAT_FEATURE_ABOUT%',
    figure: ['Answered by', '%CHAT_ANSWERED_BY%'],
  },
  {
    title: 'Integrated Payments',
    text: 'Pay by card or wallet through a trusted provider. We never charge for what we can’t deliver.',
    figure: ['Tax and shipping', '$0.00'],
  },
] as const
