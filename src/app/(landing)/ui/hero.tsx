import { ButtonLink } from '@/ui/button'
import { PedestalDrawing } from './plinth-drawing'

export function Hero({ headline, lead }: { headline: string; lead: string }) {
  return (
    <div className="mx-auto grid max-w-6xl items-end gap-x-12 px-5 sm:px-8 lg:grid-cols-[1fr_24rem]">
      <div className="py-16 sm:py-28">
        <h1 className="text-display max-w-2xl text-balance wrap-anywhere">{headline}</h1>
        <p className="mt-6 max-w-xl text-lg text-muted">{lead}</p>
        <div className="mt-9 flex flex-wrap gap-3">
          <ButtonLink href="/sign-in">Sign in</ButtonLink>
          <ButtonLink href="/api/docs" variant="secondary">
            Explore the API
          </ButtonLink>
        </div>
      </div>
      <PedestalDrawing />
    </div>
  )
}
