import { ArrowRight, Gift } from 'lucide-react'
import { useEffect } from 'react'
import { PrintedCover } from '../../catalogue/covers/PrintedCover.tsx'
import { Brand } from '../shell/Brand.tsx'
import { HeroArt } from '../pages/HeroArt.tsx'
import { LandingChat } from './LandingChat.tsx'
import { StatusBarAt } from '../shell/StatusBar.tsx'

type LandingProps = {
  name: string
  time?: string
  signIn?: string
  year?: number
  /** The bonus of a first purchase and its rule; undefined without a bonus. */
  bonus?: { title: string; rule: string } | undefined
}

/** The landing page: scripts/build.ts renders it to a static file; the app shows it after the end of a session. */
export function Landing({
  name,
  time = '',
  signIn = '/api/login',
  year = new Date().getFullYear(),
  bonus,
}: LandingProps) {
  useEffect(() => {
    document.title = `${TAGLINE} · ${name}`
  }, [name])
  return (
    <>
      <div className="landing">
        <StatusBarAt time={time} />
        <header className="landing__head">
          <span className="brand">
            <Brand name={name} />
          </span>
          <small>{TAGLINE}</small>
        </header>
        <main>
          <section className="pitch">
            <div className="pitch__text">
              <h1>Fast and Reliable Digital Services</h1>
              <p>
                Gift cards, crypto, prepaid Visa cards, e‑books, courses, software and audio. Yours the moment you pay.
              </p>
              <a className="btn btn--primary btn--lg" href={signIn}>
                Get Started
                <ArrowRight className="icon" aria-hidden />
              </a>
              {bonus && (
                <div className="secure">
                  <Gift className="icon" aria-hidden />
                  <span>
                    <b>{bonus.title}</b>
                    {bonus.rule}
                  </span>
                </div>
              )}
            </div>
            <div className="fan" aria-hidden="true">
              {samples.map(({ product, kind, price }) => (
                <div key={kind} className="ticket">
                  <div className="ticket__part">
                    <span className="frame">
                      <PrintedCover product={product} />
                    </span>
                  </div>
                  <div className="ticket__part fan__foot">
                    <b>{kind}</b>
                    <span className="money">{price}</span>
                  </div>
                </div>
              ))}
            </div>
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
                <a className="btn btn--on-hero btn--lg" href={signIn}>
                  Sign In to Continue
                </a>
              </div>
            </div>
          </section>
        </main>
        <footer className="landing__foot">
          © {year} {name}
        </footer>
      </div>
      <LandingChat signIn={signIn} />
    </>
  )
}

const TAGLINE = 'Your Number One Digital Hub'

const sample = (categoryId: string, id: string, title: string) => ({ id, categoryId, title })
const samples = [
  { kind: 'Audio', price: '$19.00', product: sample('audio', 'l2', 'Lo-Fi Loops') },
  { kind: 'E-Books', price: '$14.50', product: sample('ebooks', 'b4', 'Bread by Weight') },
  { kind: 'Gift Cards', price: '$30.00', product: sample('gift-cards', 'c1', 'Cinema Night $30') },
]

const features = [
  {
    title: 'Wide Product Range',
    text: 'Gift cards, crypto, books, courses, software, and audio, sold by the store and its members.',
    figure: ['Categories', '7'],
  },
  {
    title: 'AI Chat Support',
    text: 'An assistant that finds help right away, backed by real people who read and answer.',
    figure: ['Answered by', 'People'],
  },
  {
    title: 'Integrated Payments',
    text: 'Pay by card or wallet through a trusted provider. We never charge for what we can’t deliver.',
    figure: ['Tax and shipping', '$0.00'],
  },
] as const
