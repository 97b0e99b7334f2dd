"""The people of a large company: names put together from the seed, each with a login of its own."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from platui.emulator.world.chance import Chance

_FIRST: Final = """
Adaeze Ahmed Aino Aleksandra Alejandra Amara Amit Ana Anders Anjali Anouk Antonio Arash Astrid
Aylin Beatriz Bence Bilal Björn Camille Carlos Chiara Chidi Clara Dagny Dalia Daniela Dariusz
Deepika Dimitri Ebru Ekaterina Eleni Emil Enrique Esra Ewa Fabian Farida Femi Florence Gabriela
Giorgos Goran Greta Hamza Hanna Haruka Hélène Hugo Ibrahim Ines Isla Ivan Jakub Jana Javier
Jelena Joaquín Jun Kaito Karim Katarzyna Kenji Khadija Kofi Lars Laura Leonie Lijuan Lucía
Magnus Mariam Marta Matteo Maya Mehmet Mila Mina Mohammed Nadia Naoko Ngozi Nikhil Noor Olena
Omar Paolo Paula Petra Quang Rania Ravi Rosa Ruben Saanvi Sami Sandra Selin Sergei Shreya Sina
Stefan Sven Tariq Tereza Thandi Thomas Tiago Ulrike Uma Valentina Vera Viktor Wanjiru Wei
Xiomara Yara Youssef Yusuf Zainab Zofia
"""
_LAST: Final = """
Abebe Achterberg Adeyemi Aguilar Ahonen Almasi Andersson Aoki Arslan Baptiste Barbosa Bauer
Becker Bergström Bianchi Blanchard Botha Boateng Castro Chatterjee Chowdhury Christensen Costa
Dahl Demir Diallo Dimitrov Duarte Dvořák Eriksen Esposito Farouk Fernandes Fischer Fontaine
Fujimoto Gallagher García Geiger Ghosh González Grünwald Gupta Haddad Halvorsen Hansen Hofmann
Horváth Ibáñez Ito Ivanova Jansen Jovanović Kamau Kaplan Kapoor Karlsson Keller Khalil Kim
Kowalczyk Kovács Krüger Kumar Lambert Larsen Leclerc Lehtonen Li Lopez Lund MacLeod Mahlangu
Marino Martins Mazur Mehta Mensah Moreau Morales Mwangi Nair Nakamura Navarro Ndiaye Nguyen
Nieminen Novotná Nwosu Obi Okafor Olsen Ortiz Özdemir Papadakis Park Patel Petrov Popescu
Pretorius Quispe Rahman Ramírez Rossi Rousseau Sánchez Santos Sato Schneider Sharma Silva Singh
Soto Suzuki Szabó Takahashi Tanaka Teixeira Tran Ueda Urban Van-Dijk Vargas Virtanen Volkov
Wagner Wang Weber Wójcik Yamamoto Yıldız Zhang Zimmermann
"""
_TITLES: Final = (
    "Data Engineer", "Data Engineer", "Analytics Engineer", "Analytics Engineer", "Data Analyst",
    "Data Scientist", "Machine Learning Engineer", "Data Product Manager", "Data Steward",
    "Controller", "Business Analyst", "Platform Engineer", "Contractor",
)  # fmt: skip
_PLACES: Final = (
    "Amsterdam", "Atlanta", "Bengaluru", "Berlin", "Bogotá", "Cape Town", "Chicago", "Dublin",
    "Istanbul", "Kraków", "Lagos", "Lisboa", "London", "Manila", "México", "Milano", "Nairobi",
    "Paris", "São Paulo", "Singapore", "Stockholm", "Sydney", "Tokyo", "Toronto", "Warszawa",
)  # fmt: skip
_LETTERS: Final = str.maketrans({"ł": "l", "ø": "o", "ı": "i", "ß": "ss", "æ": "ae"})

Hired = tuple[str, str, str, str]
"""Name, login, what they do, and where."""


def more_people(chance: Chance, count: int, taken: Iterable[str]) -> Iterator[Hired]:
    """Yield so many people whose logins are not taken and differ."""
    logins = set(taken)
    dice = chance.dice("workforce")
    names, families = _FIRST.split(), _LAST.split()
    for _ in range(count):
        first, last = dice.choice(names), dice.choice(families)
        base = _ascii(f"{first[0]}.{last}")
        login, rank = base, 2
        while login in logins:
            login, rank = f"{base}{rank}", rank + 1
        logins.add(login)
        yield f"{first} {last.replace('-', ' ')}", login, dice.choice(_TITLES), dice.choice(_PLACES)


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return plain.encode("ascii", "ignore").decode()
