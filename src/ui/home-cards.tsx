'use client'

import type { HomeCardData } from 'plinth/universal/home-card'
import { ButtonLink } from './button'
import { LocalTime } from './text'

export function HomeCards({ cards }: { cards: readonly HomeCardData[] }) {
  return (
    <div className="home-cards">
      {cards.map((card) => (
        <HomeCard key={card.title} {...card} />
      ))}
    </div>
  )
}

function HomeCard({ title, href, text, isWarning, items = [], actions = [] }: HomeCardData) {
  return (
    <section className={isWarning && 'home-warning'}>
      <h2>
        <a href={href}>{title}</a>
      </h2>
      {text && <p>{text}</p>}
      {items.length > 0 && (
        <ul>
          {items.map(({ href, label, detail, at }) => (
            <li key={`${href} ${label}`}>
              <a href={href} dir="auto">
                {label}
              </a>
              <small>
                {detail && <span dir="auto">{detail}</span>}
                {at && <LocalTime at={at} precision="relative" />}
              </small>
            </li>
          ))}
        </ul>
      )}
      {actions.length > 0 && (
        <div>
          {actions.map(({ href, label }) => (
            <ButtonLink key={href} href={href} variant="secondary" size="small">
              {label}
            </ButtonLink>
          ))}
        </div>
      )}
    </section>
  )
}
