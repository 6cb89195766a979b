"""The words on the printed sheets: the rules in short for players, in Ukrainian, Russian and English.

Short is not loose: each line is a rule of the rule book, whose ids stand in the comments.
"""

from collections.abc import Mapping
from dataclasses import dataclass

LANGUAGES = ("uk", "ru", "en")


@dataclass(frozen=True)
class RulesPage:
    """One page of rules: a title, who plays, and numbered steps of (heading, text)."""

    title: str
    players: str
    steps: tuple[tuple[str, str], ...]
    example: str


@dataclass(frozen=True)
class PrintNotes:
    """What the sheets say about printing."""

    how_to: tuple[str, ...]
    ruler: str
    front: str
    back: str


NOTES: Mapping[str, PrintNotes] = {
    "uk": PrintNotes(
        (
            "Друкуйте у справжньому розмірі (100 %), без «вмістити на сторінку»; лінійка на аркуші має дорівнювати 50 мм.",
            "Двобічний друк: перевертати по довгому краю. Без двобічного друку склейте передні й задні аркуші.",
            "Найкраще — щільний папір, від 200 г/м². Ріжте від мітки до мітки, кутики заокругліть.",
        ),
        "ця лінія — 50 мм: друкуйте 100 %",
        "аркуш {number} — лицьовий бік; переверніть по довгому краю",
        "аркуш {number} — зворотний бік",
    ),
    "ru": PrintNotes(
        (
            "Печатайте в настоящем размере (100 %), без «вписать в страницу»; линейка на листе должна быть 50 мм.",
            "Двусторонняя печать: переворачивать по длинному краю. Без неё склейте передние и задние листы.",
            "Лучше всего плотная бумага, от 200 г/м². Режьте от метки до метки, уголки скруглите.",
        ),
        "эта линия — 50 мм: печатайте 100 %",
        "лист {number} — лицевая сторона; переверните по длинному краю",
        "лист {number} — оборотная сторона",
    ),
    "en": PrintNotes(
        (
            "Print at true size (100 %), without “fit to page”; the ruler on each sheet must measure 50 mm.",
            "Printing on both sides: flip on the long edge. Without it, glue the front and back sheets together.",
            "Thick paper is best, 200 g/m² or more. Cut from mark to mark, then round the corners.",
        ),
        "this line is 50 mm: print at 100 %",
        "sheet {number} — front; flip on the long edge",
        "sheet {number} — back",
    ),
}

CAT_AND_MOUSE: Mapping[str, RulesPage] = {
    "uk": RulesPage(
        "Кішки-мишки",
        "2–4 гравці · від 4 років · близько 15 хвилин · 70 карток",
        (
            # CM-START, CM-DRAW
            (
                "Готуємось",
                "Кожен кладе перед собою картку «Старт». Зайві «Старти» — у коробку. Решту карток перемішайте в купу посередині.",
            ),
            (
                "Почали!",
                "Усі грають разом, без черги. Беріть із купи по одній картці: кладіть у свою доріжку або відразу повертайте в купу.",
            ),
            # CM-START, CM-ARROW
            (
                "За стрілкою",
                "Перша картка лягає з будь-якого боку від «Старту». Кожна наступна — з того боку, куди показує стрілка попередньої. Стрілку читаємо так, як картка лежить на столі.",
            ),
            # CM-ONE-WAY, CM-SIDE
            (
                "Дві стрілки",
                "Виберіть один напрямок. В обидва боки доріжка не йде. Кладіть картку рівно збоку, не куточком і не здалеку.",
            ),
            # CM-TRAP
            (
                "Пастка",
                "Усі місця, куди показує стрілка, вже зайняті? Пастка! Додавати нічого не можна, навіть «Фініш».",
            ),
            # CM-FINISH, CM-FIRST-FINISH, CM-ONE-FINISH
            (
                "«Фініш» — «Стоп!»",
                "Витягли «Фініш» — повертати не можна: кладіть його останнім, за стрілкою (одразу після «Старту» — з будь-якого боку), і гукайте «Стоп!». Раунд закінчено для всіх.",
            ),
            # CM-ERROR, CM-SCORE
            (
                "Перевіряємо",
                "Помилкова картка і всі після неї йдуть назад у купу. Правильні картки — ваші: бали написано на лампочці. «Старт» лишається.",
            ),
            # CM-END
            (
                "Хто переміг",
                "Чотири «Фініші» — чотири раунди — і гру закінчено. Найбільше балів — перемога! Порівну — перемагають разом.",
            ),
        ),
        "Так правильно: стрілка за стрілкою від «Старту» до «Фінішу».",
    ),
    "ru": RulesPage(
        "Кошки-мышки",
        "2–4 игрока · от 4 лет · около 15 минут · 70 карточек",
        (
            (
                "Готовимся",
                "Каждый кладёт перед собой карточку «Старт». Лишние «Старты» — в коробку. Остальные карточки перемешайте в кучу посередине.",
            ),
            (
                "Начали!",
                "Все играют сразу, без очереди. Берите из кучи по одной карточке: кладите в свою дорожку или сразу возвращайте в кучу.",
            ),
            (
                "По стрелке",
                "Первая карточка ложится с любой стороны от «Старта». Каждая следующая — с той стороны, куда показывает стрелка предыдущей. Стрелку читаем так, как карточка лежит на столе.",
            ),
            (
                "Две стрелки",
                "Выберите одно направление. В обе стороны дорожка не идёт. Кладите карточку ровно сбоку, не уголком и не издалека.",
            ),
            (
                "Ловушка",
                "Все места, куда показывает стрелка, уже заняты? Ловушка! Добавлять ничего нельзя, даже «Финиш».",
            ),
            (
                "«Финиш» — «Стоп!»",
                "Вытянули «Финиш» (на карточке — «ФІНІШ») — возвращать нельзя: кладите его последним, по стрелке (сразу после «Старта» — с любой стороны), и кричите «Стоп!». Раунд окончен для всех.",
            ),
            (
                "Проверяем",
                "Ошибочная карточка и все после неё идут обратно в кучу. Правильные карточки — ваши: очки написаны на лампочке. «Старт» остаётся.",
            ),
            (
                "Кто победил",
                "Четыре «Финиша» — четыре раунда — и игра окончена. Больше всего очков — победа! Поровну — побеждают вместе.",
            ),
        ),
        "Так правильно: стрелка за стрелкой от «Старта» до «Финиша».",
    ),
    "en": RulesPage(
        "Cat and Mouse",
        "2–4 players · age 4 and up · about 15 minutes · 70 cards",
        (
            (
                "Get ready",
                "Each player lays a Start card («СТАРТ») in front of them. Spare Starts go into the box. Mix all other cards in a heap in the middle.",
            ),
            (
                "Go!",
                "Everybody plays at once, nobody waits. Take one card at a time from the heap: add it to your route, or put it back at once.",
            ),
            (
                "Follow the arrow",
                "The first card lies on any side of Start. Each next card lies on the side that the arrow of the card before points to. An arrow counts as it lies on the table.",
            ),
            (
                "Two arrows",
                "Choose one of the two ways; a route never goes both. Lay the card squarely at the side, not at a corner and not far off.",
            ),
            (
                "Trap",
                "Is every place that the arrow points to taken? A trap! Nothing more may be added, not even Finish.",
            ),
            (
                "Finish means stop",
                "A drawn Finish («ФІНІШ») may not go back: lay it last, where the arrow points (straight after Start: on any side), and call “Stop!” The round is over for everybody.",
            ),
            (
                "Check",
                "A card laid wrongly goes back to the heap with every card after it. The right cards are yours: the bulb tells the points. Start stays.",
            ),
            (
                "Who wins",
                "With the fourth Finish, after four rounds, the game is over. Most points win! A tie is shared.",
            ),
        ),
        "This is right: arrow after arrow from Start to Finish.",
    ),
}

COLOURED_PATHS: Mapping[str, RulesPage] = {
    "uk": RulesPage(
        "Різнокольорові доріжки",
        "2–4 гравці · 36 карток",
        (
            # CP-DEAL
            (
                "Роздаємо",
                "Двоє гравців — по 6 карток, троє — по 5, четверо — по 4. Вони лежать малюнком догори. Решта, малюнком униз, — банк.",
            ),
            (
                "Перша картка",
                "Перший гравець кладе будь-яку картку. Далі по черзі: одна картка за хід. Картку можна повертати.",
            ),
            # CP-JOIN, CP-EDGE
            (
                "Колір до кольору",
                "Кладіть картку рівно, бік до боку. Де картки зустрілися, всі кінці доріжок мають бути одного кольору. Зсувати картку не можна.",
            ),
            # CP-TWO
            ("Щонайменше дві", "Зійтися за кольором мають хоча б два кінці доріжок. Лише один — заборонено."),
            # CP-NO-MOVE
            ("Немає ходу?", "Візьміть картку з банку. Не підходить і вона, або банк порожній — пропустіть хід."),
            # CP-SEVEN, CP-THREE
            (
                "Ще один хід",
                "За доріжку, де колір змінюється 7 разів або більше (кожна доріжка дарує хід лише раз), або за 3 чи більше з'єднань одного кольору за один хід. Обидва разом — теж один хід.",
            ),
            # CP-RING
            (
                "Кільце",
                "Ваш хід замкнув доріжку в кільце? Наступний гравець бере картку з банку. Банк порожній — він пропускає хід.",
            ),
            # CP-END
            ("Хто переміг", "Хто першим виклав усі свої картки."),
        ),
        "Так правильно: обидві доріжки переходять на сусідню картку тим самим кольором.",
    ),
    "ru": RulesPage(
        "Разноцветные дорожки",
        "2–4 игрока · 36 карточек",
        (
            (
                "Раздаём",
                "Два игрока — по 6 карточек, три — по 5, четыре — по 4. Они лежат «лицом» вверх. Остальные, «лицом» вниз, — банк.",
            ),
            (
                "Первая карточка",
                "Первый игрок кладёт любую карточку. Дальше по очереди: одна карточка за ход. Карточку можно поворачивать.",
            ),
            (
                "Цвет к цвету",
                "Кладите карточку ровно, сторона к стороне. Где карточки встретились, все концы дорожек должны быть одного цвета. Сдвигать карточку нельзя.",
            ),
            ("Хотя бы две", "Совпасть по цвету должны хотя бы два конца дорожек. Только один — запрещено."),
            ("Нет хода?", "Возьмите карточку из банка. Не подходит и она или банк пуст — пропустите ход."),
            (
                "Ещё один ход",
                "За дорожку, в которой цвет меняется 7 и более раз (каждая дорожка дарит ход только однажды), или за 3 и более соединения одного цвета за один ход. И то и другое вместе — тоже один ход.",
            ),
            (
                "Кольцо",
                "Ваш ход замкнул дорожку в кольцо? Следующий игрок берёт карточку из банка. Банк пуст — он пропускает ход.",
            ),
            ("Кто победил", "Кто первым выложил все свои карточки."),
        ),
        "Так правильно: обе дорожки переходят на соседнюю карточку тем же цветом.",
    ),
    "en": RulesPage(
        "Multicoloured Paths",
        "2–4 players · 36 cards",
        (
            (
                "Deal",
                "Two players get 6 cards each, three get 5, four get 4. They lie face up. The rest, face down, is the bank.",
            ),
            (
                "First card",
                "The first player lays any card. Then take turns: one card a turn. You may turn a card round.",
            ),
            (
                "Colour to colour",
                "Lay the card squarely, side to side. Where cards meet, all path ends must have the same colour. A card may not be shoved along.",
            ),
            ("Two at least", "At least two path ends must meet ends of their own colour. One alone is forbidden."),
            (
                "No card fits?",
                "Take one from the bank. If that does not fit either, or the bank is empty, your turn passes.",
            ),
            (
                "An extra turn",
                "For a path whose colour changes 7 times or more (each path earns it only once), or for 3 or more joins of one colour in one move. Both at once still make one extra turn.",
            ),
            (
                "Ring",
                "Did your move close a path into a ring? The next player takes a card from the bank. If it is empty, they miss their turn.",
            ),
            ("Who wins", "Whoever first has laid all their cards."),
        ),
        "This is right: both paths go on in their own colour.",
    ),
}

IF_IT_FITS: Mapping[str, RulesPage] = {
    "uk": RulesPage(
        "Якщо влізе",
        "2–5 гравців · 110 карток",
        (
            # IF-START
            (
                "Готуємось",
                "Візьміть п'ять котів свого кольору. Картку «Старт» покладіть на стіл; інші «Старти», якщо граєте з ними, приєднуйте коротким боком. Коробки перемішайте — це колода; кожен бере в руку порівну.",
            ),
            # IF-TURN
            (
                "Ваш хід",
                "Візьміть картку з колоди, зіграйте одну з руки, а тоді можна покласти кота. Або замість цього зіграйте сплячого кота й нічого не беріть.",
            ),
            # IF-JOIN, IF-OVERLAP, IF-TABLE, IF-WALL
            (
                "Коробки",
                "Довгий бік до довгого, короткий до короткого, рівно, без накладання, цілком на столі. Стінки не заважають: можна і дві поруч. Покладене не рухаємо.",
            ),
            # IF-BOX
            (
                "Одна коробка",
                "Відкритий бік до відкритого — це одна коробка. Коробку закрито, коли відкритих боків не лишилося: усюди стінка або сусідня картка.",
            ),
            # IF-CAT, IF-CAT-OVERLAP
            (
                "Кіт",
                "Лягає впоперек двох карток, з'єднаних довгими боками без стінки між ними; одна з них — щойно зіграна. На інших котів класти не можна.",
            ),
            # IF-CAT-BOX
            (
                "Чия коробка?",
                "У коробку з чужим котом не можна — хіба що там уже є ваш. Принцеса не рахується. З'єднали коробки з чужим котом і без вашого — на цю картку кота не кладіть.",
            ),
            # IF-ASLEEP, IF-PRINCESS
            (
                "Сплячий кіт і Принцеса",
                "Сплячий кіт лягає, як коробка, і нічого не закриває. Принцеса стає на місце чужого кота, а кіт вертається до господаря.",
            ),
            # IF-END, IF-SCORE
            (
                "Кінець і бали",
                "Колода порожня або хтось використав п'ятого кота: карток більше не беремо, сплячих котів не граємо, дограємо руки. За кожну закриту коробку той, чиїх котів у ній найбільше (не сплячих), має бал за кожну іграшку; порівну — кожен. Особлива картка — три іграшки.",
            ),
        ),
        "Так правильно: два відкриті боки — одна коробка, і кіт лежить упоперек.",
    ),
    "ru": RulesPage(
        "Если влезет",
        "2–5 игроков · 110 карточек",
        (
            (
                "Готовимся",
                "Возьмите пять котов своего цвета. Карточку «Старт» положите на стол; другие «Старты», если играете с ними, присоединяйте короткой стороной. Коробки перемешайте — это колода; каждый берёт в руку поровну.",
            ),
            (
                "Ваш ход",
                "Возьмите карточку из колоды, сыграйте одну с руки, а потом можно положить кота. Или вместо этого сыграйте спящего кота и ничего не берите.",
            ),
            (
                "Коробки",
                "Длинная сторона к длинной, короткая к короткой, ровно, без наложения, целиком на столе. Стенки не мешают: можно и две рядом. Положенное не двигаем.",
            ),
            (
                "Одна коробка",
                "Открытая сторона к открытой — это одна коробка. Коробка закрыта, когда открытых сторон не осталось: везде стенка или соседняя карточка.",
            ),
            (
                "Кот",
                "Ложится поперёк двух карточек, соединённых длинными сторонами без стенки между ними; одна из них — только что сыгранная. На других котов класть нельзя.",
            ),
            (
                "Чья коробка?",
                "В коробку с чужим котом нельзя — разве что там уже есть ваш. Принцесса не считается. Соединили коробки с чужим котом и без вашего — на эту карточку кота не кладите.",
            ),
            (
                "Спящий кот и Принцесса",
                "Спящий кот ложится, как коробка, и ничего не закрывает. Принцесса занимает место чужого кота, а кот возвращается к хозяину.",
            ),
            (
                "Конец и очки",
                "Колода пуста или кто-то использовал пятого кота: карточек больше не берём, спящих котов не играем, доигрываем руки. За каждую закрытую коробку тот, чьих котов в ней больше всех (не спящих), получает очко за каждую игрушку; поровну — каждый. Особая карточка — три игрушки.",
            ),
        ),
        "Так правильно: две открытые стороны — одна коробка, и кот лежит поперёк.",
    ),
    "en": RulesPage(
        "If It Fits",
        "2–5 players · 110 cards",
        (
            (
                "Get ready",
                "Take the five cats of your colour. Lay one Start card («СТАРТ») on the table; other Starts, if you play with them, are joined by a short side. Shuffle the boxes into a draw pile; everybody takes the same number into the hand.",
            ),
            (
                "Your turn",
                "Draw a card, play one from your hand, and then you may lay a cat. Or instead play a sleeping cat and draw nothing.",
            ),
            (
                "Boxes",
                "Long side to long side, short to short, flush, never overlapping, wholly on the table. Walls are no obstacle: two may stand side by side. What lies is not moved.",
            ),
            (
                "One box",
                "Open side to open side makes one box. A box is closed when no open side is left: everywhere a wall or a neighbouring box card.",
            ),
            (
                "A cat",
                "Lies across two cards joined by their long sides with no wall between; one of them was just played. Never on another cat.",
            ),
            (
                "Whose box?",
                "Not into a box with another player's cat, unless yours is in it already. The Princess does not count. If your card joins boxes with another's cat and none of yours, lay no cat on it.",
            ),
            (
                "Sleeping cat, Princess",
                "A sleeping cat is laid like a box card and closes nothing. The Princess takes the place of another player's cat, which goes back to its owner.",
            ),
            (
                "End and points",
                "The pile is empty or somebody used a fifth cat: nobody draws or plays sleeping cats any more; play out your hands. For each closed box the player with most cats awake in it scores a point for each toy; in a tie each of them. A special card holds three toys.",
            ),
        ),
        "This is right: two open sides make one box, and the cat lies across.",
    ),
}

RULES: Mapping[str, Mapping[str, RulesPage]] = {
    "cat-and-mouse": CAT_AND_MOUSE,
    "coloured-paths": COLOURED_PATHS,
    "if-it-fits": IF_IT_FITS,
}
