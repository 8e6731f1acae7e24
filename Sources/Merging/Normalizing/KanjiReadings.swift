// Made by Training/kanji.py from the names of GeoNames (CC BY 4.0).

/// How Chinese characters are mostly read in the names of Japanese towns, where their Mandarin reading tells nothing.
enum KanjiReadings {
  /// The reading of a character at the start of a name or later.
  static func reading(_ character: Unicode.Scalar, first: Bool) -> String? {
    table[character].map { first ? $0.first : $0.later }
  }

  private static let table: [Unicode.Scalar: (first: String, later: String)] = {
    let words = readings.split(whereSeparator: \.isWhitespace)
    var table: [Unicode.Scalar: (first: String, later: String)] = [:]
    for index in stride(from: 0, to: words.count - 2, by: 3) {
      if let character = words[index].unicodeScalars.first { table[character] = (String(words[index + 1]), String(words[index + 2])) }
    }
    return table
  }()

  private static let readings = """
    一 ichi ichi 七 shichi shichi 万 man ma 三 mi san 上 kami kami 下 shimo shita 与 yo yo 世 se se 丘 gaoka gaoka
    中 naka naka 串 kushi gushi 丸 maru maru 丹 tam tan 久 ku ku 之 no no 九 ku kyu 亀 kame game 予 yo yo 二 ni ni 五 go go
    井 i i 京 kyo kyo 人 hito neri 仁 ni ni 今 ima nima 仙 sen sen 代 yo yo 仲 na naka 伊 i i 伏 fushi bushi 佐 sa sa
    保 nishitokyo bo 俣 namata namata 倉 kura kura 元 moto moto 光 hikari mitsu 免 men me 児 koda ni 入 iri iri 內 nai nai
    八 ya hachi 六 roku roku 内 uchi nai 出 izu de 分 bun bun 刈 kari kari 初 shosa shosa 別 bep betsu 利 ri ri 前 mae mae
    加 ka ka 勝 katsu ssho 勢 se se 北 kita kita 匝 so so 十 to ju 千 chi chi 半 han han 南 minami nan 占 shi jime 印 i i
    厚 atsu atsu 原 hara hara 取 tori torishi 口 guchi guchi 古 furu ko 可 ka ka 台 tai dai 各 ka ka 合 ko i 吉 yoshi yoshi
    名 na na 向 mu ga 吹 sui buki 呂 ro ro 周 su su 味 mi mi 和 wa wa 善 ze zen 喜 ki ki 嘉 ka ka 四 shi shi 国 koku kuni
    園 sono n 土 to to 地 ji ji 坂 saka saka 坊 bo bo 垣 gaki gaki 城 jo ki 埼 nzaki nzaki 堀 hori bori 場 ba ba
    塚 tsuka tsuka 塩 shio shio 境 sakai sakai 士 shi ji 多 ta ta 大 o o 天 te ama 太 o o 央 o o 奈 na na 奥 o o 奧 o tsu
    妻 me tsuma 子 shi shi 孫 bi bi 宇 u u 守 mori mori 安 a yasu 宜 gi gi 宝 takarazu takarazu 室 muro muro 宮 miya nomiya
    宿 su juku 寄 yori yoro 富 fu tomi 寒 sa ssamu 寺 ji ji 寿 sut su 小 o ko 尻 jiri jiri 尾 o o 居 i i 屋 ya ya 山 yama yama
    岐 gi ki 岡 oka oka 岩 iwa iwa 岸 kishi kkeshi 島 shima shima 崎 saki saki 嵐 ranza ranza 川 kawa kawa 州 shu shu
    巣 su su 巻 maki maki 市 ichi ichi 布 fu bu 常 to to 幌 horo horo 幡 man man 平 hira bira 幸 sat saiwai 広 hiro hiro
    庄 sho jo 府 fu fu 度 do do 座 za za 廣 hiro hiro 延 nobe nobe 引 hiki hiki 弘 hiro hiro 弥 ya ya 張 bari bari
    形 gata gata 彦 hiko hiko 後 ko go 御 mi mi 徳 toku toku 志 shi shi 恵 e e 愛 ai ai 成 nari nari 我 a a 戶 do do 戸 to to
    所 tokoro sho 手 de de 指 ibusu ibusu 掛 kake kage 摩 ma ma 敷 shiki shiki 文 bu bu 新 shin shi 方 kata kata 日 hi ka
    早 haya haya 旭 asahi asahi 明 aka ake 春 kasu wara 昭 aki aki 是 ze ze 曲 magari magari 更 sara sara 曽 so so
    月 mi tsuki 朝 asa sasa 木 ki ki 本 hon moto 杉 sugi sugi 村 mura mura 条 jo jo 来 gi gi 東 higashi to 杵 ki ki
    松 matsu matsu 板 ita ita 林 hayashi bayashi 枝 e noema 柏 kashiwa kashiwa 柳 yana yanagi 栃 tochi tochi 栖 su su
    栗 kuri guri 根 ne ne 桐 ki giri 桑 kuwa kuwa 桜 sakura sa 梁 yana hashi 梅 ume me 條 jo jo 森 mori mori 椎 shi shi
    検 ke ken 楽 raku raku 槻 tsuki tsuki 標 shibe shibe 横 yoko yoko 橋 hashi bashi 歌 uta ka 武 mu mu 殿 dono dono 比 hi i
    毛 kumo kumo 気 ke ke 水 mi mizu 氷 hi hi 永 naga naga 江 e e 池 ike ike 沖 oki oki 沢 zawa zawa 河 ko ga 治 ji ji
    沼 numa numa 泉 izumi izumi 泊 tomari domari 波 ba ba 津 tsu tsu 洲 su zu 流 nagare ru 浅 asa asa 浜 hama hama 浦 ura ura
    浪 nami nami 海 e mi 深 fuka bukamachi 添 soe soe 清 kiyo shi 渋 shibu shibu 渡 to do 温 on on 港 yoichi minato
    湊 minato minato 湖 ko ko 湯 yu yu 滑 nameri koname 滝 taki taki 潟 kata gata 潮 ita shio 澤 zawa zawa 濃 no no
    濱 hama bama 瀬 se se 無 nashi nashi 熊 kuma kuma 父 bu bu 片 kata kata 牛 ushi go 牟 mu mu 牧 maki maki 犬 inu inu
    狩 kari kari 狭 sa sa 玉 tama ma 王 o o 珠 su su 琴 koto koto 瑞 mizu mizu 瑳 sa sa 甘 ama ama 生 i ryu 用 yo yo 田 ta da
    由 yu yu 甲 ko ko 男 o o 町 machi cho 留 ru ru 畠 hata hata 発 ba ba 登 nobori do 白 shira shira 百 yu o 益 masu masu
    目 me me 相 saga so 県 gata gata 真 ma ma 矢 ya ya 知 chi chi 石 ishi ishi 砂 suna sago 砺 to to 磐 iwa iwa 磯 iso iso
    神 ko ka 福 fuku fuku 秋 aki aki 秩 chichi chichi 稚 wakka wakka 稲 ina se 立 tachi tachi 竜 ryu ryu 竹 take take
    笠 kasa kasa 筑 chiku chiku 築 tsuki tsuki 篠 sasa sasa 米 yone me 粟 higa awa 糸 ito ito 納 no na 結 yu yu 網 a ami
    綾 aya aya 総 so so 縄 nawa nawa 置 oke gi 美 mi mi 羽 ha ba 老 bi bi 能 no no 脇 wakimachi waki 臼 usu usu 興 okop okop
    舎 to sha 舘 date date 舞 mai mo 舟 funa funa 船 funa fune 良 ra ra 芝 shiba shiba 芦 ashi ashi 花 hana bana 芸 ki ki
    若 waka waka 苫 toma toma 茂 mo mo 茅 chi kaya 茨 ibara ibara 茶 cha cha 草 kusa kusa 荒 ara ara 荘 jo jo 菅 suga suge
    菊 kiku kiku 萩 hagi hagi 葉 ha ba 葛 ka kumi 蒲 kan bu 蓮 hasu hasu 蔵 kura sashi 薩 se se 藤 fuji to 蘆 ashi ashi
    蘇 so so 蘭 ran ran 行 gyo gyo 街 chimata chimata 袋 fukuro bukuro 西 nishi nishi 覇 ha ha 見 mi mi 角 kaku zuno 訪 wa wa
    諏 su su 諸 moro moro 護 go go 谷 ya ya 豆 zu zu 豊 toyo toyo 豐 toyo toyo 貝 kai kai 賀 ga ga 赤 aka aka 越 o goshi 足 a a
    路 ji ji 軽 karu ru 輪 wa wa 辰 tatsu tatsu 辺 nabe nabe 込 gome gome 近 o o 連 ren ren 道 do do 達 te te 遠 to nga
    那 na na 郡 kori gori 部 be be 郷 go go 都 tsu tsu 酒 saka su 里 sato sato 野 no no 金 kana gane 釜 kama gama 銚 cho cho
    長 naga naga 門 kado to 間 ma ma 関 seki noseki 阜 fu fu 阪 han saka 阿 a a 陀 da da 陸 riku tachi 陽 yo yo 雨 u u 雲 un mo
    霞 kasumiga ka 青 ao ao 静 shizu shizu 音 o non 須 su su 頓 ton ton 頭 to gami 飛 fu fu 飯 ii i 養 ya ya 館 tate date
    香 ka ka 馬 nishima ma 駒 koma koma 騨 rukawa rukawa 高 taka taka 魚 uo i 鳥 to suka 鳴 naru naru 鴨 kamo gamo
    鶴 tsuru zuru 鷹 takano taka 鹿 ka ga 麻 o ma 黒 kuro guro 龍 tatsu tatsu
    """
}
