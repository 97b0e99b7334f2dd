"""Who works at the company, and the bots that work for them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from platui.emulator.records import Person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from platui.emulator.world.chance import Chance

FIRST_ID: Final = 2001
"""Ids of people stand apart from those of groups: each person is a namespace as well."""

# name, login, what they do, where
_HUMANS: Final = (
    ("Adaeze Okonkwo", "a.okonkwo", "Head of Data Platform", "Lagos"),
    ("Aisha Khan", "a.khan", "Analytics Engineer", "London"),
    ("Mateus Oliveira", "m.oliveira", "Data Engineer", "São Paulo"),
    ("Ingrid Sørensen", "i.sorensen", "Staff Data Engineer", "Copenhagen"),
    ("Yuki Tanaka", "y.tanaka", "Machine Learning Engineer", "Tokyo"),
    ("Łukasz Wiśniewski", "l.wisniewski", "Site Reliability Engineer", "Kraków"),
    ("Priya Raghunathan", "p.raghunathan", "Analytics Engineer", "Bengaluru"),
    ("Chloé Lefèvre", "c.lefevre", "Finance Data Lead", "Lyon"),
    ("Daniel Ortega", "d.ortega", "Data Engineer", "Madrid"),
    ("Fatima Zahra El Idrissi", "f.elidrissi", "Data Analyst", "Casablanca"),
    ("Jonas Müller", "j.mueller", "Platform Engineer", "Berlin"),
    ("Nguyễn Minh Anh", "minhanh.nguyen", "Data Engineer", "Hà Nội"),
    ("Oluwaseun Adeyemi", "o.adeyemi", "Data Product Manager", "Lagos"),
    ("Sofia Papadopoulou", "s.papadopoulou", "Analytics Engineer", "Athens"),
    ("Tomáš Novák", "t.novak", "Data Engineer", "Brno"),
    ("Zeynep Yılmaz", "z.yilmaz", "Data Scientist", "Istanbul"),
    ("Liam O’Connor", "l.oconnor", "Engineering Manager", "Dublin"),
    ("Mei-Ling Chen", "ml.chen", "Data Scientist", "Taipei"),
    ("Rajesh Iyer", "r.iyer", "Data Engineer", "Chennai"),
    ("Emma Lindqvist", "e.lindqvist", "Marketing Analyst", "Stockholm"),
    ("Ahmed Hassan", "a.hassan", "Data Engineer", "Cairo"),
    ("Giulia Romano", "g.romano", "Controller", "Milano"),
    ("Kwame Mensah", "k.mensah", "Support Operations", "Accra"),
    ("Anastasia Volkova", "a.volkova", "Data Engineer", "Tbilisi"),
    ("Hiroshi Sato", "h.sato", "Logistics Analyst", "Osaka"),
    ("Camila Rojas", "c.rojas", "Analytics Engineer", "Santiago"),
    ("Noah van den Berg", "n.vandenberg", "Data Engineer", "Utrecht"),
    ("Leila Haddad", "l.haddad", "Product Analyst", "Beirut"),
    ("Patrick Nkemelu", "p.nkemelu", "Data Steward", "Abuja"),
    ("Hannah Fischer", "h.fischer", "Finance Analyst", "Wien"),
    ("Diego Fernández", "d.fernandez", "Data Engineer", "Buenos Aires"),
    ("Olga Petrenko", "o.petrenko", "Data Quality Lead", "Kyiv"),
    ("Samuel Getachew", "s.getachew", "Junior Data Engineer", "Addis Ababa"),
    ("Marie-Claire Dubois", "mc.dubois", "Treasury Analyst", "Bruxelles"),
    ("Arjun Deshpande", "a.deshpande", "Machine Learning Engineer", "Pune"),
    ("Siobhán Walsh", "s.walsh", "CRM Manager", "Cork"),
    ("Park Ji-woo", "jiwoo.park", "Data Scientist", "Seoul"),
    ("Victor Almeida", "v.almeida", "Contractor", "Porto"),
)  # fmt: skip

BLOCKED: Final = "v.almeida"
"""Left the company; some of what they set up still runs."""

# login, name
_BOTS: Final = (
    ("svc-orchestrator", "Orchestrator"),
    ("svc-scheduler", "Nightly Scheduler"),
    ("project_101_bot_8c2f1e", "deploy token"),
    ("group_12_bot_51ab90", "platform automation"),
)


def hire(
    chance: Chance,
    origin: datetime,
    more: Callable[[Iterable[str]], Iterable[tuple[str, str, str, str]]] = lambda _: (),
) -> tuple[Person, ...]:
    """Return everybody, in id order: the people, then the bots.

    Args:
        chance: what decides since when they are there.
        origin: when all of them are.
        more: makes further people (name, login, title, place), given the logins that are taken.
    """
    humans = (*_HUMANS, *more(login for _, login, _, _ in _HUMANS))
    rows = [(name, login, title, place, False) for name, login, title, place in humans]
    rows += [(name, login, "", "", True) for login, name in _BOTS]
    return tuple(
        Person(
            id=FIRST_ID + number,
            username=login,
            name=name,
            email=_email(login, bot=bot),
            state="blocked" if login == BLOCKED else "active",
            bot=bot,
            created_at=origin - timedelta(minutes=chance.below(900 * 1440, "hired", number)),
            job_title=title,
            location=place,
        )
        for number, (name, login, title, place, bot) in enumerate(rows)
    )


def _email(login: str, *, bot: bool) -> str:
    if bot:
        return f"{login}@noreply.acme.example"
    return f"{login}@{'contractor.example' if login == BLOCKED else 'acme.example'}"
